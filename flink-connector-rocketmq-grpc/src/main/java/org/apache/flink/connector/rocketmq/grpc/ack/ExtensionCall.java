/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** One extension of a lease: the future the user got, whom it counts for, and its permit. */
final class ExtensionCall implements PendingCall {

    private final CompletableFuture<RocketMQReceiptHandle> future = new CompletableFuture<>();
    private final RocketMQReceiptHandle handle;
    private final AckStats stats;
    private final Permit permit;
    private final RetryDelay retries;
    private final AtomicBoolean ended = new AtomicBoolean();

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

    /** The handle to settle with from now on. */
    void finish(RocketMQReceiptHandle newest) {
        if (end()) {
            future.complete(newest);
            stats.ended(false);
        }
    }

    @Override
    public void fail(AckFailedException failure) {
        if (end()) {
            stats.failures.incrementAndGet();
            future.completeExceptionally(failure);
            stats.ended(false);
        }
    }

    private boolean end() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            permit.giveBack();
        }
        return first;
    }
}
