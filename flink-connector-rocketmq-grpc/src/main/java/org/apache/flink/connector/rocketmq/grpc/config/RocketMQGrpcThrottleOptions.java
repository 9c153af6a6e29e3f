/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of throttling: the safety valves. */
@PublicEvolving
public final class RocketMQGrpcThrottleOptions {

    /** Valve by count. */
    public static final ConfigOption<Integer> MAX_DELIVERY_ATTEMPT =
            ConfigOptions.key("rocketmq.throttle.max-delivery-attempt")
                    .intType()
                    .defaultValue(16)
                    .withDescription(
                            "A message that was deferred or delivered this often is let through"
                                    + " whatever the policy says.");

    /** Cap of one deferral. */
    public static final ConfigOption<Duration> MAX_INVISIBLE_DURATION =
            ConfigOptions.key("rocketmq.throttle.max-invisible-duration")
                    .durationType()
                    .defaultValue(Duration.ofMinutes(30))
                    .withDescription("Longest deferral; a longer one is cut to it.");

    /** Valve by age. */
    public static final ConfigOption<Duration> MAX_AGE =
            ConfigOptions.key("rocketmq.throttle.max-age")
                    .durationType()
                    .noDefaultValue()
                    .withDescription(
                            "A message older than this, by its born time, is let through whatever"
                                    + " the policy says. Not set: any age may be deferred.");

    private RocketMQGrpcThrottleOptions() {}
}
