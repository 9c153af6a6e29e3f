/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;
import org.apache.flink.connector.rocketmq.grpc.config.ThrottleConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.Handles;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** Messages at given places of given deliveries, and throttles with test-sized bounds. */
final class Deliveries {

    /** The time at which tests begin. */
    static final long START = 1_700_000_000_000L;

    /** The invisible duration of the messages. */
    static final long LEASE_MILLIS = 60_000;

    private Deliveries() {}

    /** A handle whose message id names its offset in the lite topic. */
    static RocketMQReceiptHandle handle(String liteTopic, long deliveryId, int index, int offset) {
        return Handles.plain(liteTopic, deliveryId, index).toBuilder()
                .message("LiteMainTopic", liteTopic, liteTopic + "-" + offset)
                .receipt("RECEIPT-" + deliveryId + "-" + offset, START + LEASE_MILLIS)
                .bornTimestamp(START)
                .build();
    }

    /** A message whose value is its offset in the lite topic. */
    static AckableMessage<Integer> message(
            String liteTopic, long deliveryId, int index, int offset) {
        return new AckableMessage<>(offset, handle(liteTopic, deliveryId, index, offset));
    }

    /** Throttle options with one value set. */
    static Configuration configuration(int maxDeliveryAttempt) {
        Configuration configuration = new Configuration();
        configuration.set(RocketMQGrpcThrottleOptions.MAX_DELIVERY_ATTEMPT, maxDeliveryAttempt);
        return configuration;
    }

    /** A core with everything default. */
    static <T> ThrottleCore<T> core(MessageThrottlePolicy<T> policy, ThrottleCounters counters) {
        return core(policy, new Configuration(), counters);
    }

    /** A core with options. */
    static <T> ThrottleCore<T> core(
            MessageThrottlePolicy<T> policy,
            Configuration configuration,
            ThrottleCounters counters) {
        return new ThrottleCore<>(
                policy,
                ThrottleConfig.from(configuration),
                new DeferralCounts(1000, counters.forgotten, 0, 1),
                new DeferralMemory(1000, counters.forgotten),
                new AdmittedParts(1000, counters.forgotten),
                counters);
    }
}
