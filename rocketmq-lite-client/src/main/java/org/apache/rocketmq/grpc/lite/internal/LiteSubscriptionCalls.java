/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.LiteSubscriptionAction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The SyncLiteSubscription calls of one topic and group; every one of them fails with {@link
 * org.apache.rocketmq.grpc.lite.RpcException}. Used on the I/O thread.
 */
interface LiteSubscriptionCalls {

    /**
     * One call.
     *
     * @param liteTopic empty unless the action is about a single one
     */
    CompletableFuture<Void> send(
            RpcChannel channel, LiteSubscriptionAction action, String liteTopic, Duration timeout);

    /** Subscribes to everything of the topic. */
    default CompletableFuture<Void> subscribe(RpcChannel channel, Duration timeout) {
        return send(channel, LiteSubscriptionAction.COMPLETE_ADD, "", timeout);
    }

    /** Withdraws the subscription with everything in it. */
    default CompletableFuture<Void> withdraw(RpcChannel channel, Duration timeout) {
        return send(channel, LiteSubscriptionAction.COMPLETE_REMOVE, "", timeout);
    }

    /** Asks for a single lite topic, which a wildcard group may not. */
    default CompletableFuture<Void> addOne(RpcChannel channel, String name, Duration timeout) {
        return send(channel, LiteSubscriptionAction.PARTIAL_ADD, name, timeout);
    }

    /** Undoes {@link #addOne}. */
    default CompletableFuture<Void> removeOne(RpcChannel channel, String name, Duration timeout) {
        return send(channel, LiteSubscriptionAction.PARTIAL_REMOVE, name, timeout);
    }
}
