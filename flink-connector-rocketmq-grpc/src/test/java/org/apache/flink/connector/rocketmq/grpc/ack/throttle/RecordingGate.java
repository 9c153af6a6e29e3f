/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckOutcome;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** A gate that writes down its deferrals instead of sending them. */
final class RecordingGate extends RocketMQThrottleGate<Integer> {

    private static final long serialVersionUID = 1L;

    private final transient List<String> settled = new ArrayList<>();
    private final transient List<CompletableFuture<AckOutcome>> answers = new ArrayList<>();

    RecordingGate(MessageThrottlePolicy<Integer> policy, Configuration configuration) {
        super(policy, configuration);
    }

    @Override
    protected CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle) {
        throw new AssertionError("a gate does not ack");
    }

    @Override
    protected CompletableFuture<AckOutcome> defer(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        settled.add("defer " + handle.getMessageId() + " " + invisibleDuration.toMillis() + " ms");
        CompletableFuture<AckOutcome> answer = new CompletableFuture<>();
        answers.add(answer);
        return answer;
    }

    /** What was asked of the ack client, in order. */
    List<String> settled() {
        return settled;
    }

    /** The open answers, in order. */
    List<CompletableFuture<AckOutcome>> answers() {
        return answers;
    }
}
