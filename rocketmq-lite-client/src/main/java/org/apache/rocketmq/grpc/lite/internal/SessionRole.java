/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Endpoints;

/**
 * What makes a session that of a consumer, an acknowledger or a producer. Called on the I/O thread.
 */
interface SessionRole {

    /** For thread names and messages: {@code consumer}. */
    String name();

    /** The main topic. */
    String topic();

    /** The consumer group; empty if the role has none. */
    String group();

    /** Client types to introduce itself with, the preferred one first. */
    List<ClientType> clientTypes();

    /** The settings to introduce itself with. */
    Settings settings(ClientType type, Endpoints.Address address);

    /**
     * Checks what has to be right before the first session is opened. Not called for later ones.
     *
     * @param timeout bound of one RPC
     * @return fails with {@link org.apache.rocketmq.grpc.lite.RpcException}
     */
    CompletableFuture<Void> prepare(RpcChannel channel, Duration timeout);

    /**
     * The telemetry stream stands.
     *
     * @param first false when the client had a session before
     * @param timeout bound of one RPC
     * @return completes when the session can be used; fails with {@link
     *     org.apache.rocketmq.grpc.lite.RpcException}
     */
    CompletableFuture<Void> opened(RpcChannel channel, boolean first, Duration timeout);

    /**
     * A session was lost, and its client id goes with it: take back what the server may still hold
     * for that id.
     *
     * @param ghost speaks in the name of the lost id
     * @param timeout bound of one RPC
     * @return holds up the new session until it completes; fails with {@link
     *     org.apache.rocketmq.grpc.lite.RpcException}
     */
    CompletableFuture<Void> bury(RpcChannel ghost, Duration timeout);

    /**
     * The client closes: take leave of the server. Bounded by the session, whatever this does.
     *
     * @return completes, never exceptionally, when the session may say goodbye
     */
    CompletableFuture<Void> leave(RpcChannel channel);
}
