/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of acknowledging downstream. */
@PublicEvolving
public final class RocketMQGrpcAckOptions {

    /** Bound of what is in flight. */
    public static final ConfigOption<Integer> MAX_IN_FLIGHT =
            ConfigOptions.key("rocketmq.ack.max-in-flight")
                    .intType()
                    .defaultValue(1024)
                    .withDescription(
                            "Most acks and deferrals on their way to the server at a time, of all"
                                    + " subtasks of a TaskManager with the same client and ack"
                                    + " options together; the caller waits when it is reached. What"
                                    + " is repeated has a bound of its own. A subtask that acks on"
                                    + " checkpoint has half as many of its own and waits for none.");

    /** Order within a delivery. */
    public static final ConfigOption<AckOrder> ORDER =
            ConfigOptions.key("rocketmq.ack.order")
                    .enumType(AckOrder.class)
                    .defaultValue(AckOrder.AUTO)
                    .withDescription(
                            "In which order the acks of a delivery leave. An ack behind an"
                                    + " unfinished message gains nothing and loses that message if"
                                    + " the broker restarts in between.");

    /** How long an ack waits for its place. */
    public static final ConfigOption<Duration> ORDER_TIMEOUT =
            ConfigOptions.key("rocketmq.ack.order-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(5))
                    .withDescription(
                            "With order auto: how long an ack waits behind an unfinished message of"
                                    + " its delivery.");

    /** Drain at close. */
    public static final ConfigOption<Duration> CLOSE_TIMEOUT =
            ConfigOptions.key("rocketmq.ack.close-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(10))
                    .withDescription(
                            "How long an operator waits at its end for what is in flight.");

    /** Release at close. */
    public static final ConfigOption<Boolean> RELEASE_ON_CLOSE =
            ConfigOptions.key("rocketmq.ack.release-on-close")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription(
                            "Whether an operator that ends makes the deliveries that it knows to be"
                                    + " unfinished visible at once, instead of leaving them to the"
                                    + " end of their invisible duration.");

    /** Bound of what waits for its checkpoint. */
    public static final ConfigOption<Integer> MAX_PENDING =
            ConfigOptions.key("rocketmq.ack.max-pending")
                    .intType()
                    .defaultValue(65_536)
                    .withDescription(
                            "Acking on checkpoint: most receipt handles of a subtask that wait for"
                                    + " their checkpoint. Beyond it a message is emitted and not"
                                    + " acked, so that it comes back.");

    private RocketMQGrpcAckOptions() {}
}
