/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.OutputTag;

/**
 * A keyed process function that finishes messages: what it {@link #ack acks} is gone, what it
 * {@link #defer defers} comes back later, what it forgets comes back when its invisible duration
 * ends.
 *
 * <p>Keyed state and timers are usable as in any {@code KeyedProcessFunction}. A handle may go into
 * state and be acked by a timer: within its lease, which {@link #changeInvisibleDuration} extends;
 * after a restart it is good until then, too.
 *
 * <p>Nothing waits for an answer, a checkpoint neither. A failure that repeating cannot help fails
 * the task: within a second by itself, and at the next ack, checkpoint or close. At its end the
 * function waits {@code rocketmq.ack.close-timeout} at most for what is under way; the deliveries
 * that it knows to be unfinished then become visible at once ({@code
 * rocketmq.ack.release-on-close}): those of which an ack still waits, and those that it {@link
 * #claim claimed}.
 *
 * <p>A subclass that overrides {@link #open}, {@link #close}, {@link #snapshotState} or {@link
 * #initializeState} calls the method it overrides.
 *
 * <p>Metrics as of {@link RocketMQAckProcessFunction}.
 *
 * @param <K> type of the key
 * @param <IN> type of the values that come in
 * @param <OUT> type of what goes out
 */
@PublicEvolving
public abstract class RocketMQKeyedAckProcessFunction<K, IN, OUT>
        extends KeyedProcessFunction<K, AckableMessage<IN>, OUT> implements CheckpointedFunction {

    private static final long serialVersionUID = 1L;

    private final AckConfig config;
    private transient AckingOperator acks;

    /** With the default options. */
    protected RocketMQKeyedAckProcessFunction() {
        this(new Configuration());
    }

    /**
     * @param configuration options {@code rocketmq.client.*} and {@code rocketmq.ack.*}
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    protected RocketMQKeyedAckProcessFunction(Configuration configuration) {
        this.config = AckConfig.from(configuration);
    }

    @Override
    public void open(OpenContext openContext) throws Exception {
        super.open(openContext);
        acks = AckingOperator.open(config, acquireClient(config), getRuntimeContext(), () -> {});
    }

    /** The seam for tests. */
    RocketMQLiteAckClient acquireClient(AckConfig ackConfig) {
        return RocketMQLiteAckClient.acquire(ackConfig);
    }

    /**
     * Answers for a message from now on: if the function ends before it acked or deferred it, its
     * delivery becomes visible at once, instead of when its lease ends. For work that can fail or
     * outlasts the call; not for a handle that goes into state, whose message has to stay away.
     *
     * @throws AckFailedException if something failed before that has to fail the job
     */
    protected void claim(AckableMessage<?> message) {
        AckingOperator.opened(acks).claim(message.getReceiptHandle());
    }

    /** Acks the message this value came from. See {@link #ack(RocketMQReceiptHandle)}. */
    protected CompletableFuture<AckOutcome> ack(AckableMessage<?> message) {
        return ack(message.getReceiptHandle());
    }

    /**
     * Acks a message. Waits only while too much is in flight.
     *
     * @return how it ended; completes on a thread of the client, so what is chained to it must
     *     neither block nor touch Flink
     * @throws AckFailedException if something failed before that has to fail the job
     * @see RocketMQLiteAckClient#ack
     */
    protected CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle) {
        return AckingOperator.opened(acks).ack(handle);
    }

    /**
     * Parks a message that will not be processed: emits it to the side output, then acks it. It is
     * emitted before it is acked, so it is at least once in the side output, provided that what
     * reads that takes part in the checkpoints of the job; a failure between ack and checkpoint
     * loses what a sink without a transaction or flush did not write.
     *
     * @param tag of the side output; its type is {@code AckableMessageTypeInfo.of(...)}
     * @throws AckFailedException if something failed before that has to fail the job
     */
    protected CompletableFuture<AckOutcome> park(
            AckableMessage<IN> message, OutputTag<AckableMessage<IN>> tag, Context context) {
        context.output(tag, message);
        return ack(message);
    }

    /** Like {@link #changeInvisibleDuration(RocketMQReceiptHandle, Duration)}. */
    protected CompletableFuture<RocketMQReceiptHandle> changeInvisibleDuration(
            AckableMessage<?> message, Duration invisibleDuration) {
        return changeInvisibleDuration(message.getReceiptHandle(), invisibleDuration);
    }

    /**
     * Extends the lease of a message.
     *
     * @return the handle to ack with from then on
     * @throws AckFailedException if something failed before that has to fail the job
     * @see RocketMQLiteAckClient#changeInvisibleDuration
     */
    protected CompletableFuture<RocketMQReceiptHandle> changeInvisibleDuration(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        return AckingOperator.opened(acks).changeInvisibleDuration(handle, invisibleDuration);
    }

    /** Like {@link #defer(RocketMQReceiptHandle, Duration)}. */
    protected CompletableFuture<AckOutcome> defer(
            AckableMessage<?> message, Duration invisibleDuration) {
        return defer(message.getReceiptHandle(), invisibleDuration);
    }

    /**
     * Defers a message and what follows in its delivery.
     *
     * @throws AckFailedException if something failed before that has to fail the job
     * @see RocketMQLiteAckClient#defer
     */
    protected CompletableFuture<AckOutcome> defer(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        return AckingOperator.opened(acks).defer(handle, invisibleDuration);
    }

    /** Waits for nothing; fails if something failed before. */
    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        if (acks != null) {
            acks.check();
        }
    }

    /** Restores nothing: what was not acked comes back. */
    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {}

    @Override
    public void close() throws Exception {
        AckingOperator open = acks;
        acks = null;
        if (open != null) {
            open.close();
        }
        super.close();
    }
}
