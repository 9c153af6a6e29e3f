/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckOutcome;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** A throttle function that writes down its acks and deferrals instead of sending them. */
final class RecordingThrottle extends RocketMQThrottleProcessFunction<Integer> {

    private static final long serialVersionUID = 1L;

    private final transient List<String> settled = new ArrayList<>();

    RecordingThrottle(MessageThrottlePolicy<Integer> policy, Configuration configuration) {
        super(policy, configuration);
    }

    @Override
    protected CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle) {
        settled.add("ack " + handle.getMessageId());
        return CompletableFuture.completedFuture(AckOutcome.SETTLED);
    }

    @Override
    protected CompletableFuture<AckOutcome> defer(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        settled.add("defer " + handle.getMessageId() + " " + invisibleDuration.toMillis() + " ms");
        return CompletableFuture.completedFuture(AckOutcome.SETTLED);
    }

    /** What was asked of the ack client, in order. */
    List<String> settled() {
        return settled;
    }
}
