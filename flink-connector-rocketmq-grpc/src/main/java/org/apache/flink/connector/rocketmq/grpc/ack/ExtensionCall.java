/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.rocketmq.grpc.lite.AckEntry;

/**
 * One extension of a lease: the future the user got, whom it counts for, and its permit; and how
 * far it is. Each receipt has its own end, so what rides on the message is extended with it, one
 * after the other and the message last: until all of it is, nothing is exchanged. How far it is, is
 * guarded by the session's lock. The end comes once.
 */
final class ExtensionCall implements PendingCall {

    private final CompletableFuture<RocketMQReceiptHandle> future = new CompletableFuture<>();
    private final RocketMQReceiptHandle handle;
    private final AckStats stats;
    private final Permit permit;
    private final RetryDelay retries;
    private final List<AckEntry> entries;
    private final List<String> newReceipts = new ArrayList<>(1);
    private long shortestLeaseEnd = Long.MAX_VALUE;
    private boolean repeated;
    private boolean ended;

    ExtensionCall(RocketMQReceiptHandle handle, AckStats stats, Permit permit) {
        this.handle = handle;
        this.stats = stats;
        this.permit = permit;
        this.retries = new RetryDelay(handle.getLeaseEndMillis());
        this.entries = RocketMQReceiptHandleCodec.toEntries(handle);
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

    /** What is to be extended next. */
    AckEntry next() {
        return entries.get(newReceipts.size());
    }

    /** The server extended what was next. */
    void extended(String newReceipt, long leaseEndMillis) {
        newReceipts.add(newReceipt);
        shortestLeaseEnd = Math.min(shortestLeaseEnd, leaseEndMillis);
    }

    /** True if the server extended all of it. */
    boolean isComplete() {
        return newReceipts.size() == entries.size();
    }

    /** The handle with all the new receipts. */
    RocketMQReceiptHandle renewed() {
        return RocketMQReceiptHandleCodec.renewed(handle, newReceipts, shortestLeaseEnd);
    }

    /** True if the user has the answer, whatever it is. */
    synchronized boolean hasEnded() {
        return ended;
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
