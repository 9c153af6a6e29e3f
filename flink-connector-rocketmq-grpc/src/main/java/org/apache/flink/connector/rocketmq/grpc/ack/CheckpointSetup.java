/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;

/** Whether the checkpoints of a job suit a function that acks with them. No state. */
final class CheckpointSetup {

    private static final String WAY_OUT =
            ", so nothing would ever be acked and each lite topic would stop after its first"
                    + " delivery (expected: STREAMING mode with "
                    + CheckpointingOptions.CHECKPOINTING_INTERVAL.key()
                    + " set, or a RocketMQAckProcessFunction, which acks without checkpoints)";

    private CheckpointSetup() {}

    /**
     * The checkpoint interval of a job.
     *
     * @throws IllegalStateException if the job has no checkpoints
     */
    static Duration interval(Configuration job) {
        if (job.get(ExecutionOptions.RUNTIME_MODE) == RuntimeExecutionMode.BATCH) {
            throw new IllegalStateException(
                    "Acking on checkpoint: "
                            + ExecutionOptions.RUNTIME_MODE.key()
                            + " is BATCH, which has no checkpoints"
                            + WAY_OUT);
        }
        return job.getOptional(CheckpointingOptions.CHECKPOINTING_INTERVAL)
                .filter(interval -> !interval.isZero() && !interval.isNegative())
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "Acking on checkpoint: "
                                                + CheckpointingOptions.CHECKPOINTING_INTERVAL.key()
                                                + " is not set, the job has no checkpoints"
                                                + WAY_OUT));
    }

    /** What to warn of, if the lease of a message usually ends before its checkpoint. */
    static Optional<String> warning(Duration interval, Duration invisibleDuration) {
        if (interval.compareTo(invisibleDuration) < 0) {
            return Optional.empty();
        }
        return Optional.of(
                CheckpointingOptions.CHECKPOINTING_INTERVAL.key()
                        + " is "
                        + text(interval)
                        + ", and the invisible duration "
                        + text(invisibleDuration)
                        + ": messages wait longer for their ack than their lease lasts. It is"
                        + " extended, with one request per message and at most 250 a second; set"
                        + " rocketmq.source.invisible-duration to three checkpoint intervals");
    }

    /** In seconds where that is whole, so that the two numbers compare. */
    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
    }
}
