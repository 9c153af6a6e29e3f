/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.util.TimeUtils;

/** The checks that every configuration shares, all with messages of one shape. No state. */
final class OptionChecks {

    static final Duration MAX_INVISIBLE = Duration.ofHours(12);

    private static final Pattern RESOURCE = Pattern.compile("[%|a-zA-Z0-9_-]+");

    private OptionChecks() {}

    /** A value that must be there and not blank; trimmed. */
    static String required(ReadableConfig config, ConfigOption<String> option) {
        String value = get(config, option, "a value; this option is required");
        if (value == null || value.trim().isEmpty()) {
            throw new IllegalArgumentException(
                    option.key() + ": not set (expected: a value; this option is required)");
        }
        return value.trim();
    }

    /** A required topic or group name. */
    static String requiredName(ReadableConfig config, ConfigOption<String> option, int maxLength) {
        String value = required(config, option);
        if (value.length() > maxLength || !RESOURCE.matcher(value).matches()) {
            throw wrong(
                    option,
                    "'" + value + "'",
                    "1 to " + maxLength + " of letters, digits, '-', '_', '%' and '|'");
        }
        return value;
    }

    static int range(ReadableConfig config, ConfigOption<Integer> option, int min, int max) {
        String expected = min + " to " + max;
        int value = get(config, option, expected);
        if (value < min || value > max) {
            throw wrong(option, String.valueOf(value), expected);
        }
        return value;
    }

    static Duration range(
            ReadableConfig config, ConfigOption<Duration> option, Duration min, Duration max) {
        String expected = text(min) + " to " + text(max);
        Duration value = get(config, option, expected);
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw wrong(option, text(value), expected);
        }
        return value;
    }

    /** Refuses an option that this version cannot honour, without showing its value. */
    static void notYet(ReadableConfig config, ConfigOption<?> option, String what) {
        if (config.getOptional(option).isPresent()) {
            throw new IllegalArgumentException(
                    option.key()
                            + ": set, but this version has no "
                            + what
                            + " (expected: not set)");
        }
    }

    /** Reads a value; what cannot be parsed is reported with the key and what is allowed. */
    static <T> T get(ReadableConfig config, ConfigOption<T> option, String expected) {
        try {
            return config.get(option);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    option.key() + ": " + rootMessage(e) + " (expected: " + expected + ")", e);
        }
    }

    static IllegalArgumentException wrong(ConfigOption<?> option, String value, String expected) {
        return new IllegalArgumentException(
                option.key() + ": " + value + " (expected: " + expected + ")");
    }

    /** {@code 5 s}: the largest unit that leaves no rest. */
    static String text(Duration duration) {
        return TimeUtils.formatWithHighestUnit(duration);
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage();
    }
}
