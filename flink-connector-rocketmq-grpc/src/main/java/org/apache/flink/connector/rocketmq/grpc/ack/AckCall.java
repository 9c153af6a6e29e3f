/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * One ack or deferral of a user: the future it got, whom it counts for, and its permit.
 *
 * <p>{@link #hold()}, {@link #leave()} and {@link #repeats(Semaphore)} are called under the
 * session's lock. The end comes once; what comes later has no effect. It is counted after the
 * future is complete, so that whoever drains sees every failure.
 */
final class AckCall implements PendingCall {

    private final CompletableFuture<AckOutcome> future = new CompletableFuture<>();
    private final RocketMQReceiptHandle handle;
    private final AckStats stats;
    private final Permit permit;
    private boolean held;
    private boolean repeated;
    private boolean ended;

    AckCall(RocketMQReceiptHandle handle, AckStats stats, Permit permit) {
        this.handle = handle;
        this.stats = stats;
        this.permit = permit;
        stats.began();
    }

    @Override
    public RocketMQReceiptHandle handle() {
        return handle;
    }

    CompletableFuture<AckOutcome> future() {
        return future;
    }

    AckStats stats() {
        return stats;
    }

    /** Waits from now on; gives its permit back, because what waits is not in flight. */
    synchronized void hold() {
        if (!held && !ended) {
            held = true;
            stats.holds(repeated);
            repeated = false;
            permit.giveBack();
        }
    }

    /** On its way to the server from now on. */
    synchronized void leave() {
        if (held && !ended) {
            held = false;
            stats.leaves();
        }
    }

    /**
     * The server does not take it for now: it leaves its place in flight to others for one among
     * what is repeated. Keeps its place if there are too many of these.
     */
    synchronized void repeats(Semaphore repeats) {
        if (!held && !ended && permit.moveTo(repeats)) {
            repeated = true;
            stats.repeats();
        }
    }

    /** The end of a call that was taken, came too late or was let go. */
    void finish(AckOutcome outcome) {
        if (end()) {
            stats.count(outcome);
            future.complete(outcome);
            stats.ended(held, repeated);
        }
    }

    @Override
    public void fail(AckFailedException failure) {
        if (end()) {
            stats.failures.incrementAndGet();
            future.completeExceptionally(failure);
            stats.ended(held, repeated);
        }
    }

    private synchronized boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        permit.giveBack();
        return true;
    }
}
