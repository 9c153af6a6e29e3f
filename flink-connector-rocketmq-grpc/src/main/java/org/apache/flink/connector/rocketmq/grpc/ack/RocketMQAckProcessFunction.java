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
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process function that finishes messages: what it {@link #ack acks} is gone, what it {@link
 * #defer defers} comes back later, what it forgets comes back when its invisible duration ends.
 *
 * <p>Nothing waits for an answer, a checkpoint neither. A failure that repeating cannot help fails
 * the task: within a second by itself, and at the next ack, checkpoint or close. At its end the
 * function waits {@code rocketmq.ack.close-timeout} at most for what is under way.
 *
 * <p>A subclass that overrides {@link #open}, {@link #close}, {@link #snapshotState} or {@link
 * #initializeState} calls the method it overrides.
 *
 * <p>Metrics of the operator, below the group {@code rocketmq}: counters {@code acksSettled},
 * {@code acksStale}, {@code acksDropped}, {@code acksRetried}, {@code acksFailed}, {@code
 * acksLostAtClose}, {@code deferrals} (taken by the server), {@code deferralRpcs}; gauges {@code
 * acksInFlight}, {@code acksHeld}, {@code ackOrdersGivenUp}, {@code ackDeliveriesForgotten}.
 *
 * @param <IN> type of the values that come in
 * @param <OUT> type of what goes out
 */
@PublicEvolving
public abstract class RocketMQAckProcessFunction<IN, OUT>
        extends ProcessFunction<AckableMessage<IN>, OUT> implements CheckpointedFunction {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RocketMQAckProcessFunction.class);

    private final AckConfig config;
    private transient RocketMQLiteAckClient client;
    private transient FailureSlot failures;
    private transient FailureWatch watch;

    /** With the default options. */
    protected RocketMQAckProcessFunction() {
        this(new Configuration());
    }

    /**
     * @param configuration options {@code rocketmq.client.*} and {@code rocketmq.ack.*}
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    protected RocketMQAckProcessFunction(Configuration configuration) {
        this.config = AckConfig.from(configuration);
    }

    @Override
    public void open(OpenContext openContext) throws Exception {
        super.open(openContext);
        failures = new FailureSlot();
        client = acquireClient(config);
        AckMetrics.register(getRuntimeContext().getMetricGroup().addGroup("rocketmq"), client);
        watch = FailureWatch.begin(getRuntimeContext(), failures);
    }

    /** The seam for tests. */
    RocketMQLiteAckClient acquireClient(AckConfig ackConfig) {
        return RocketMQLiteAckClient.acquire(ackConfig);
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
        return watched(opened().ack(handle));
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
        return watched(opened().changeInvisibleDuration(handle, invisibleDuration));
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
        return watched(opened().defer(handle, invisibleDuration));
    }

    private RocketMQLiteAckClient opened() {
        if (client == null) {
            throw new IllegalStateException(
                    "not open (expected: open() of the super class was called, close() was not)");
        }
        failures.raise();
        return client;
    }

    private <T> CompletableFuture<T> watched(CompletableFuture<T> future) {
        FailureSlot slot = failures;
        future.whenComplete(
                (result, failure) -> {
                    if (failure != null) {
                        slot.park(failure);
                    }
                });
        return future;
    }

    /** Waits for nothing; fails if something failed before. */
    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        failures.raise();
    }

    /** Restores nothing: what was not acked comes back. */
    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {}

    @Override
    public void close() throws Exception {
        RocketMQLiteAckClient open = client;
        client = null;
        if (open != null) {
            if (watch != null) {
                watch.end();
            }
            try {
                drain(open);
            } finally {
                open.release();
            }
            failures.raiseIfNew();
        }
        super.close();
    }

    /**
     * Also after a failure or a cancellation, whose interrupt Flink (2.3) clears before it closes
     * the operators; who interrupts after that does not want to wait.
     */
    private void drain(RocketMQLiteAckClient open) {
        long left;
        try {
            if (failures.isEmpty() && !Thread.currentThread().isInterrupted()) {
                open.flush();
                left = open.drain(config.closeTimeout());
            } else {
                left = open.stats().inFlight() + open.stats().held();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            left = open.stats().inFlight() + open.stats().held();
        }
        if (left > 0) {
            open.stats().lostAtClose.addAndGet(left);
            LOG.warn(
                    "{} acks and deferrals had no answer at the end; their messages come back",
                    left);
        }
    }
}
