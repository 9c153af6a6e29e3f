/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * One extension of a lease: the future the user got, whom it counts for, and its permit. The end
 * comes once.
 */
final class ExtensionCall implements PendingCall {

    private final CompletableFuture<RocketMQReceiptHandle> future = new CompletableFuture<>();
    private final RocketMQReceiptHandle handle;
    private final AckStats stats;
    private final Permit permit;
    private final RetryDelay retries;
    private boolean repeated;
    private boolean ended;

    ExtensionCall(RocketMQReceiptHandle handle, AckStats stats, Permit permit) {
        this.handle = handle;
        this.stats = stats;
        this.permit = permit;
        this.retries = new RetryDelay(handle.getLeaseEndMillis());
        stats.began();
    }

    @Override
    public RocketMQReceiptHandle handle() {
        return handle;
    }

    CompletableFuture<RocketMQReceiptHandle> future() {
        return future;
    }

    AckStats stats() {
        return stats;
    }

    RetryDelay retries() {
        return retries;
    }

    /** The server does not take it for now; see {@link AckCall#repeats(Semaphore)}. */
    synchronized void repeats(Semaphore repeats) {
        if (!ended && permit.moveTo(repeats)) {
            repeated = true;
            stats.repeats();
        }
    }

    /** The handle to settle with from now on. */
    void finish(RocketMQReceiptHandle newest) {
        if (end()) {
            future.complete(newest);
            stats.ended(false, repeated);
        }
    }

    @Override
    public void fail(AckFailedException failure) {
        if (end()) {
            stats.failures.incrementAndGet();
            future.completeExceptionally(failure);
            stats.ended(false, repeated);
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
