/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Publishing;
import apache.rocketmq.v2.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/** What makes a session that of a producer. Used on the I/O thread. */
final class ProducerRole implements SessionRole {

    private final LiteClientConfig config;
    private final String topic;
    private final RouteCache route;

    ProducerRole(LiteClientConfig config, String topic) {
        this.config = config;
        this.topic = topic;
        this.route = new RouteCache(config.namespace(), topic, config.endpoints());
    }

    @Override
    public String name() {
        return "producer";
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public String group() {
        return "";
    }

    @Override
    public List<ClientType> clientTypes() {
        return List.of(ClientType.PRODUCER);
    }

    @Override
    public Settings settings(ClientType type, Endpoints.Address address) {
        return Settings.newBuilder()
                .setClientType(type)
                .setAccessPoint(Requests.accessPoint(address))
                .setRequestTimeout(Requests.duration(config.requestTimeout()))
                .setUserAgent(Requests.userAgent())
                .setPublishing(
                        Publishing.newBuilder()
                                .addTopics(Requests.resource(config.namespace(), topic))
                                .setValidateMessageType(true))
                .build();
    }

    @Override
    public CompletableFuture<Void> prepare(RpcChannel channel, Duration timeout) {
        return route.refresh(channel, timeout).thenAccept(more -> {});
    }

    @Override
    public CompletableFuture<Void> opened(RpcChannel channel, boolean first, Duration timeout) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> bury(RpcChannel ghost, Duration timeout) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> leave(RpcChannel channel) {
        return CompletableFuture.completedFuture(null);
    }
}
