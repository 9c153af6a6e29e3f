/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** What becomes of messages that wait in a reader; the part of {@link SourceConfig} about it. */
@Internal
public final class WaitingConfig implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final Duration MIN_WITHDRAW_AFTER = Duration.ofSeconds(1);
    private static final Duration MAX_WITHDRAW_AFTER = Duration.ofHours(1);

    private final String renewalPolicyClass;
    private final Duration renewalAheadTime;
    private final Duration renewalMaxDuration;
    private final boolean releaseOnClose;
    private final Duration withdrawAfter;

    private WaitingConfig(
            String renewalPolicyClass,
            Duration renewalAheadTime,
            Duration renewalMaxDuration,
            boolean releaseOnClose,
            Duration withdrawAfter) {
        this.renewalPolicyClass = renewalPolicyClass;
        this.renewalAheadTime = renewalAheadTime;
        this.renewalMaxDuration = renewalMaxDuration;
        this.releaseOnClose = releaseOnClose;
        this.withdrawAfter = withdrawAfter;
    }

    /** Reads and validates; the invisible duration is validated already. */
    static WaitingConfig from(ReadableConfig config, Duration invisible) {
        return new WaitingConfig(
                policyClass(config),
                aheadTime(config, invisible),
                maxDuration(config, invisible),
                OptionChecks.get(
                        config, RocketMQGrpcSourceOptions.RELEASE_ON_CLOSE, "true or false"),
                withdrawAfter(config));
    }

    private static String policyClass(ReadableConfig config) {
        String name = config.get(RocketMQGrpcSourceOptions.RENEWAL_POLICY_CLASS);
        if (name == null) {
            return null;
        }
        if (name.trim().isEmpty()) {
            throw OptionChecks.wrong(
                    RocketMQGrpcSourceOptions.RENEWAL_POLICY_CLASS,
                    "'" + name + "'",
                    "the name of a class, or not set");
        }
        return name.trim();
    }

    private static Duration aheadTime(ReadableConfig config, Duration invisible) {
        ConfigOption<Duration> option = RocketMQGrpcSourceOptions.RENEWAL_AHEAD_TIME;
        String expected = "more than 0 and less than " + invisibleText(invisible);
        Duration ahead = OptionChecks.get(config, option, expected);
        if (ahead.isNegative() || ahead.isZero() || ahead.compareTo(invisible) >= 0) {
            throw OptionChecks.wrong(option, OptionChecks.text(ahead), expected);
        }
        return ahead;
    }

    /** The default of an hour gives way to a longer invisible duration. */
    private static Duration maxDuration(ReadableConfig config, Duration invisible) {
        ConfigOption<Duration> option = RocketMQGrpcSourceOptions.RENEWAL_MAX_DURATION;
        String expected =
                invisibleText(invisible) + ", to " + OptionChecks.text(OptionChecks.MAX_INVISIBLE);
        Duration max = OptionChecks.get(config, option, expected);
        if (!config.getOptional(option).isPresent()) {
            return max.compareTo(invisible) < 0 ? invisible : max;
        }
        if (max.compareTo(invisible) < 0 || max.compareTo(OptionChecks.MAX_INVISIBLE) > 0) {
            throw OptionChecks.wrong(option, OptionChecks.text(max), expected);
        }
        return max;
    }

    private static String invisibleText(Duration invisible) {
        return RocketMQGrpcSourceOptions.INVISIBLE_DURATION.key()
                + ", which is "
                + OptionChecks.text(invisible);
    }

    private static Duration withdrawAfter(ReadableConfig config) {
        ConfigOption<Duration> option = RocketMQGrpcSourceOptions.WITHDRAW_AFTER;
        String expected =
                OptionChecks.text(MIN_WITHDRAW_AFTER)
                        + " to "
                        + OptionChecks.text(MAX_WITHDRAW_AFTER)
                        + ", or not set";
        Duration after = OptionChecks.get(config, option, expected);
        if (after != null
                && (after.compareTo(MIN_WITHDRAW_AFTER) < 0
                        || after.compareTo(MAX_WITHDRAW_AFTER) > 0)) {
            throw OptionChecks.wrong(option, OptionChecks.text(after), expected);
        }
        return after;
    }

    /** Name of the class that decides on renewals; empty if nothing is renewed. */
    public Optional<String> renewalPolicyClass() {
        return Optional.ofNullable(renewalPolicyClass);
    }

    /** How long before the end of its lease a message is renewed. */
    public Duration renewalAheadTime() {
        return renewalAheadTime;
    }

    /** How long after its arrival the lease of a message ends at the latest. */
    public Duration renewalMaxDuration() {
        return renewalMaxDuration;
    }

    /** Whether deliveries of which nothing was emitted are made visible at the end. */
    public boolean releaseOnClose() {
        return releaseOnClose;
    }

    /** After how long without a poll the subscription is given up; empty for never. */
    public Optional<Duration> withdrawAfter() {
        return Optional.ofNullable(withdrawAfter);
    }
}
