/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * What every acknowledging function is made of: a lease of the client, the slot for its failures,
 * the watch that raises them, and what is known to be unfinished.
 *
 * <p>Owned by the task thread; what completes on threads of the client only reaches the failure
 * slot and the book of unfinished messages, which are thread-safe.
 */
final class AckingOperator {

    private final AckConfig config;
    private final RocketMQLiteAckClient client;
    private final FailureSlot failures = new FailureSlot();
    private final UnfinishedMessages unfinished;
    private TaskWatch watch;
    private Runnable atEnd = () -> {};
    private boolean closed;

    private AckingOperator(AckConfig config, RocketMQLiteAckClient client) {
        this.config = config;
        this.client = client;
        this.unfinished = new UnfinishedMessages(client.stats().leftToLease);
    }

    /**
     * Begins to acknowledge, with a client whose lease this owns from now on.
     *
     * @param every runs on the task thread every 200 ms, after the check for failures
     */
    static AckingOperator open(
            AckConfig config,
            RocketMQLiteAckClient client,
            RuntimeContext context,
            Runnable every) {
        AckingOperator operator = new AckingOperator(config, client);
        try {
            AckMetrics.register(context.getMetricGroup().addGroup("rocketmq"), client);
            operator.watch =
                    TaskWatch.begin(
                            context,
                            () -> {
                                operator.failures.raise();
                                every.run();
                            });
        } catch (RuntimeException e) {
            client.release();
            throw e;
        }
        return operator;
    }

    /** An acknowledging function whose open was not called says so. */
    static AckingOperator opened(AckingOperator operator) {
        if (operator == null) {
            throw new IllegalStateException(
                    "not open (expected: open() of the super class was called, close() was not)");
        }
        return operator;
    }

    /** Throws what failed before and has to fail the job. */
    void check() {
        failures.raise();
    }

    /** This operator answers for the message until it acks or defers it. */
    void claim(RocketMQReceiptHandle handle) {
        check();
        answerFor(handle);
    }

    /** Like {@link #claim}, without raising what failed before. */
    void answerFor(RocketMQReceiptHandle handle) {
        unfinished.put(handle);
    }

    CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle) {
        check();
        unfinished.remove(handle);
        return watched(client.ack(handle));
    }

    /**
     * Like {@link #ack}, from any thread: does not raise what failed before, and waits for no place
     * in flight, so the caller bounds how many there are.
     */
    CompletableFuture<AckOutcome> submitAck(RocketMQReceiptHandle handle) {
        unfinished.remove(handle);
        return watched(client.ackWithoutPlace(handle));
    }

    CompletableFuture<RocketMQReceiptHandle> changeInvisibleDuration(
            RocketMQReceiptHandle handle, Duration duration) {
        check();
        return renewed(client.changeInvisibleDuration(handle, duration));
    }

    /** The same, and waits for no place in flight, so the caller bounds how many there are. */
    CompletableFuture<RocketMQReceiptHandle> submitExtension(
            RocketMQReceiptHandle handle, Duration duration) {
        check();
        return renewed(client.extendWithoutPlace(handle, duration));
    }

    private CompletableFuture<RocketMQReceiptHandle> renewed(
            CompletableFuture<RocketMQReceiptHandle> renewal) {
        watched(renewal).thenAccept(unfinished::replace);
        return renewal;
    }

    CompletableFuture<AckOutcome> defer(RocketMQReceiptHandle handle, Duration duration) {
        check();
        unfinished.removeFrom(handle);
        return watched(client.defer(handle, duration));
    }

    private <T> CompletableFuture<T> watched(CompletableFuture<T> future) {
        future.whenComplete(
                (result, failure) -> {
                    if (failure != null) {
                        failures.park(failure);
                    }
                });
        return future;
    }

    AckStats stats() {
        return client.stats();
    }

    /** Has this run when the operator has ended, before the lease of the client is given back. */
    void atEnd(Runnable action) {
        atEnd = action;
    }

    /**
     * Ends: drains, releases what is unfinished, gives the lease back; at most the close timeout,
     * and what closing the connections takes. Idempotent.
     */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        watch.end();
        try {
            new OperatorEnd(config, client, unfinished)
                    .run(failures.isEmpty(), watch.hasTaskFinished());
        } finally {
            atEnd.run();
            client.release();
        }
        failures.raiseIfNew();
    }
}
