/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.internal.GrpcLiteProducer;

/**
 * Sends messages to lite topics of one main topic.
 *
 * <p>Every method may be called from any thread and returns at once. Futures complete on the
 * client's only I/O thread: a continuation must not block. Bounding what is in flight is the
 * caller's part. After {@link #close()} every call fails.
 */
public interface LiteProducer extends AutoCloseable {

    /** A client that is not started; nothing runs yet. */
    static LiteProducer create(LiteClientConfig config, String topic) {
        return new GrpcLiteProducer(config, topic);
    }

    /**
     * Connects, reads the route and opens the session.
     *
     * @return completes when messages can be sent; fails with {@link RpcException} within about 10
     *     s, its message holding endpoint, topic, code and the {@code mqadmin} line that repairs it
     */
    CompletableFuture<Void> start();

    /**
     * Sends one message in one request, once: repeating is the caller's decision. Sends under way
     * at the same time may be stored in any order.
     *
     * @return the receipt when the broker stored it; fails with {@link RpcException}, or with
     *     {@link IllegalArgumentException} naming the field that the server would refuse, before
     *     any RPC
     */
    CompletableFuture<SendReceipt> send(LiteOutgoingMessage message);

    /**
     * Closes the connection; sends under way fail. Takes at most 2 s, also when interrupted (the
     * flag is kept). Idempotent.
     */
    @Override
    void close();
}
