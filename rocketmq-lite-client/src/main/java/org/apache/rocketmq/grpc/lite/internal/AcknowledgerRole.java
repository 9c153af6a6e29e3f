/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/**
 * What makes a session that of an acknowledger: it is known to the proxy, which defers for nobody
 * else, and never subscribes, because a subscriber that does not poll holds messages up.
 */
final class AcknowledgerRole implements SessionRole {

    private static final Duration LONG_POLLING = Duration.ofSeconds(20);

    private final LiteClientConfig config;
    private final String group;
    private final String topic;

    AcknowledgerRole(LiteClientConfig config, String group, String topic) {
        this.config = config;
        this.group = group;
        this.topic = topic;
    }

    @Override
    public String name() {
        return "acknowledger";
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public String group() {
        return group;
    }

    @Override
    public List<ClientType> clientTypes() {
        return ConsumerSettings.TYPES;
    }

    @Override
    public Settings settings(ClientType type, Endpoints.Address address) {
        return ConsumerSettings.create(
                type,
                address,
                ConsumerSettings.subscription(config.namespace(), topic, group, LONG_POLLING),
                config.requestTimeout());
    }

    @Override
    public CompletableFuture<Void> prepare(RpcChannel channel, Duration timeout) {
        return CompletableFuture.completedFuture(null);
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
