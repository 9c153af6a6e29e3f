/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ReadableConfig;

/** The safety valves of throttling, validated. Immutable. */
@Internal
public final class ThrottleConfig implements Serializable {

    private static final long serialVersionUID = 1L;

    private final int maxDeliveryAttempt;
    private final Duration maxInvisibleDuration;
    private final Duration maxAge;

    private ThrottleConfig(int maxDeliveryAttempt, Duration maxInvisibleDuration, Duration maxAge) {
        this.maxDeliveryAttempt = maxDeliveryAttempt;
        this.maxInvisibleDuration = maxInvisibleDuration;
        this.maxAge = maxAge;
    }

    /**
     * Reads and validates the throttle options.
     *
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public static ThrottleConfig from(ReadableConfig config) {
        String expected = "more than 0";
        Duration age = OptionChecks.get(config, RocketMQGrpcThrottleOptions.MAX_AGE, expected);
        if (age != null && (age.isNegative() || age.isZero())) {
            throw OptionChecks.wrong(
                    RocketMQGrpcThrottleOptions.MAX_AGE, OptionChecks.text(age), expected);
        }
        return new ThrottleConfig(
                OptionChecks.range(
                        config,
                        RocketMQGrpcThrottleOptions.MAX_DELIVERY_ATTEMPT,
                        1,
                        Integer.MAX_VALUE),
                OptionChecks.range(
                        config,
                        RocketMQGrpcThrottleOptions.MAX_INVISIBLE_DURATION,
                        Duration.ofMillis(1),
                        OptionChecks.MAX_INVISIBLE),
                age);
    }

    /** After how many deferrals or deliveries a message is let through. */
    public int maxDeliveryAttempt() {
        return maxDeliveryAttempt;
    }

    /** Longest deferral. */
    public Duration maxInvisibleDuration() {
        return maxInvisibleDuration;
    }

    /** Age by born time from which a message is let through; empty = any age may be deferred. */
    public Optional<Duration> maxAge() {
        return Optional.ofNullable(maxAge);
    }

    @Override
    public String toString() {
        return "ThrottleConfig{maxDeliveryAttempt="
                + maxDeliveryAttempt
                + ", maxInvisibleDuration="
                + maxInvisibleDuration
                + ", maxAge="
                + maxAge
                + '}';
    }
}
