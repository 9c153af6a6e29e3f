/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.SyncLiteSubscriptionRequest;
import apache.rocketmq.v2.SyncLiteSubscriptionResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The {@link LiteSubscriptionCalls} of one topic and group over gRPC. Immutable. */
final class GrpcSubscriptionCalls implements LiteSubscriptionCalls {

    private final String namespace;
    private final String topic;
    private final String group;

    GrpcSubscriptionCalls(String namespace, String topic, String group) {
        this.namespace = namespace;
        this.topic = topic;
        this.group = group;
    }

    @Override
    public CompletableFuture<Void> send(
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
                .thenCompose(answer -> check(answer, channel.established()));
    }

    private static CompletableFuture<Void> check(
            Answer<SyncLiteSubscriptionResponse> answer, boolean established) {
        return answer.value().getStatus().getCode() == Code.OK
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(
                        answer.call().refused(answer.value().getStatus(), established));
    }
}
