/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;

/**
 * Knows every option key of the connector and refuses the others: a misspelt option that is
 * silently ignored is worse than an error. Keys of another prefix are nobody's business. No state.
 */
final class OptionNames {

    private static final String PREFIX = "rocketmq.";

    /** A resolver of the user's has options of its own. */
    private static final String RESOLVER_PREFIX = "rocketmq.client.credentials.";

    private static final List<Class<?>> OPTION_CLASSES =
            Collections.unmodifiableList(
                    Arrays.asList(
                            RocketMQGrpcClientOptions.class,
                            RocketMQGrpcSourceOptions.class,
                            RocketMQGrpcAckOptions.class,
                            RocketMQGrpcThrottleOptions.class));

    private OptionNames() {}

    /**
     * Refuses a key that no part of the connector knows.
     *
     * @throws IllegalArgumentException naming the key and the nearest known one
     */
    static void refuseUnknown(Configuration configuration) {
        Set<String> known = known();
        for (String key : new TreeSet<>(configuration.keySet())) {
            boolean ours = key.startsWith(PREFIX) && !key.startsWith(RESOLVER_PREFIX);
            if (ours && !known.contains(key)) {
                throw new IllegalArgumentException(
                        key + ": unknown option (did you mean " + nearest(key, known) + "?)");
            }
        }
    }

    private static Set<String> known() {
        Set<String> keys = new TreeSet<>();
        for (Class<?> options : OPTION_CLASSES) {
            for (Field field : options.getFields()) {
                if (field.getType() == ConfigOption.class) {
                    keys.add(keyOf(field));
                }
            }
        }
        return keys;
    }

    private static String keyOf(Field field) {
        try {
            return ((ConfigOption<?>) field.get(null)).key();
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("option " + field + " is not public", e);
        }
    }

    private static String nearest(String key, Set<String> known) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(key, candidate);
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best;
    }

    /** Edits (insert, delete, replace one character) from one text to the other. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        Arrays.setAll(previous, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
