/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.internal.GrpcLiteAcknowledger;

/**
 * Settles messages that somebody else received: acks and deferrals, never a subscription.
 *
 * <p>It keeps a session with heartbeats (without one the server refuses deferrals) but is never a
 * candidate for messages, so it delays nobody. Every method may be called from any thread and
 * returns at once. Futures complete on the client's only I/O thread: a continuation must not block.
 * After {@link #close()} every call fails.
 */
public interface LiteAcknowledger extends AutoCloseable {

    /** A client that is not started; nothing runs yet. */
    static LiteAcknowledger create(LiteClientConfig config, String group, String topic) {
        return new GrpcLiteAcknowledger(config, group, topic);
    }

    /**
     * Connects and opens the session.
     *
     * @return completes when the session stands; fails with {@link RpcException}. Acks and
     *     deferrals may be called before and wait for it, bounded by the request timeout
     */
    CompletableFuture<Void> start();

    /**
     * Acks messages in one request.
     *
     * @param entries 1–256, all of the same topic; the server settles them in parallel, so the
     *     order inside one request means nothing
     * @return one result per entry, in the order given; fails with {@link RpcException} when the
     *     request as a whole got no answer. An acked message is gone, except when an earlier
     *     message of its delivery is not acked: then the server delivers it again together with
     *     that one
     */
    CompletableFuture<List<AckResult>> ack(List<AckEntry> entries);

    /**
     * Sets when a message becomes visible again.
     *
     * @param invisibleDuration from now, 0 – 12 h; 0 = at once
     * @param suspend true: re-times the whole delivery the message came with and burns no delivery
     *     attempt; false: this message only
     * @return the new receipt handle, to be used instead of the old one; the old one stays good
     *     until this completes. Fails with {@link RpcException}
     */
    CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend);

    /**
     * Says goodbye and closes the connection in the background; returns at once. Calls under way
     * fail. Idempotent.
     *
     * @return completes, never with a failure, when nothing but the I/O thread is left to end; not
     *     at all if that thread is stuck in somebody's continuation
     */
    CompletableFuture<Void> beginClose();

    /**
     * Says goodbye and closes the connection. Takes at most 2 s, counted from {@link #beginClose()}
     * if that was called before, also when interrupted (the flag is kept). Calls under way fail.
     * Idempotent.
     */
    @Override
    void close();
}
