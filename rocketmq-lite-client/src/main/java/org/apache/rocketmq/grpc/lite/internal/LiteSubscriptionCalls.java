/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.SyncLiteSubscriptionRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.RpcException;

/** The SyncLiteSubscription calls of one topic and group. Immutable; used on the I/O thread. */
final class LiteSubscriptionCalls {

    private final String namespace;
    private final String topic;
    private final String group;

    LiteSubscriptionCalls(String namespace, String topic, String group) {
        this.namespace = namespace;
        this.topic = topic;
        this.group = group;
    }

    /** Subscribes to everything of the topic. Fails with {@link RpcException}. */
    CompletableFuture<Void> subscribe(RpcChannel channel, Duration timeout) {
        return send(channel, LiteSubscriptionAction.COMPLETE_ADD, "", timeout);
    }

    /** Withdraws the subscription with everything in it. Fails with {@link RpcException}. */
    CompletableFuture<Void> withdraw(RpcChannel channel, Duration timeout) {
        return send(channel, LiteSubscriptionAction.COMPLETE_REMOVE, "", timeout);
    }

    /** Asks for a single lite topic, which a wildcard group may not. */
    CompletableFuture<Void> addOne(RpcChannel channel, String liteTopic, Duration timeout) {
        return send(channel, LiteSubscriptionAction.PARTIAL_ADD, liteTopic, timeout);
    }

    /** Undoes {@link #addOne}. */
    CompletableFuture<Void> removeOne(RpcChannel channel, String liteTopic, Duration timeout) {
        return send(channel, LiteSubscriptionAction.PARTIAL_REMOVE, liteTopic, timeout);
    }

    private CompletableFuture<Void> send(
            RpcChannel channel, LiteSubscriptionAction action, String liteTopic, Duration timeout) {
        SyncLiteSubscriptionRequest.Builder request =
                SyncLiteSubscriptionRequest.newBuilder()
                        .setAction(action)
                        .setTopic(Requests.resource(namespace, topic))
                        .setGroup(Requests.resource(namespace, group));
        if (!liteTopic.isEmpty()) {
            request.addLiteTopicSet(liteTopic);
        }
        return channel.call(
                        MessagingServiceGrpc.getSyncLiteSubscriptionMethod(),
                        request.build(),
                        timeout)
                .thenCompose(
                        answer ->
                                answer.value().getStatus().getCode() == Code.OK
                                        ? CompletableFuture.completedFuture(null)
                                        : CompletableFuture.failedFuture(
                                                answer.call()
                                                        .refused(
                                                                answer.value().getStatus(),
                                                                channel.established())));
    }
}
