/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * A receipt handle that waits for its checkpoint, or whose ack is under way. Begun by the task
 * thread; a thread of the client exchanges the handle and tells the end, hence the volatile fields.
 */
final class PendingHandle {

    private final long sinceMillis;
    private final Runnable ended;
    private volatile RocketMQReceiptHandle handle;
    private volatile CompletableFuture<?> renewal = CompletableFuture.completedFuture(null);
    private volatile boolean beyondRenewal;
    private volatile boolean done;

    /**
     * @param ended runs when its ack has its end, on any thread
     */
    PendingHandle(RocketMQReceiptHandle handle, long sinceMillis, Runnable ended) {
        this.handle = handle;
        this.sinceMillis = sinceMillis;
        this.ended = ended;
    }

    /** The newest handle. */
    RocketMQReceiptHandle handle() {
        return handle;
    }

    long sinceMillis() {
        return sinceMillis;
    }

    /** Its lease is being extended; the handle stays until there is a new one. */
    void renews(CompletableFuture<RocketMQReceiptHandle> extension) {
        renewal =
                extension.handle(
                        (renewed, failure) -> {
                            if (failure == null) {
                                handle = renewed;
                            } else {
                                beyondRenewal = true;
                            }
                            return null;
                        });
    }

    /** Completes, never with a failure, when no extension is under way. */
    CompletableFuture<?> renewal() {
        return renewal;
    }

    /** True if extending it makes sense now. */
    boolean isRenewable() {
        return !beyondRenewal && !done && renewal.isDone();
    }

    /** Its ack has its end, whatever that is. Called once. */
    void done() {
        done = true;
        ended.run();
    }

    boolean isDone() {
        return done;
    }
}
