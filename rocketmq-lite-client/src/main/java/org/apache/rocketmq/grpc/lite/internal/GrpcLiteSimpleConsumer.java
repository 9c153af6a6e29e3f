/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;

/**
 * The consumer over gRPC: hops onto the I/O thread, where {@link ConsumerRole} and its parts do the
 * work.
 */
public final class GrpcLiteSimpleConsumer implements LiteSimpleConsumer {

    /** Most messages that the server gives in one answer. */
    private static final int MAX_MESSAGES = 32;

    private final LiteClientConfig config;
    private final IoLoop loop;
    private final ConsumerRole role;
    private final ClientSession session;
    private final Settlement settlement;

    /** Starts nothing. */
    public GrpcLiteSimpleConsumer(LiteClientConfig config, LiteSubscription subscription) {
        this.config = Objects.requireNonNull(config, "config");
        Objects.requireNonNull(subscription, "subscription");
        this.loop = new IoLoop("consumer");
        this.role = new ConsumerRole(config, subscription, loop);
        this.session = new ClientSession(config, role, loop);
        this.settlement = new Settlement(session, loop, config, subscription.group());
        role.attach(session, settlement);
    }

    @Override
    public CompletableFuture<Void> start() {
        return session.start();
    }

    @Override
    public Set<String> brokers() {
        return role.route().brokers();
    }

    @Override
    public void onBrokersChanged(Consumer<Set<String>> listener) {
        Objects.requireNonNull(listener, "listener");
        session.onLoop(done -> role.onBrokersChanged(listener));
    }

    @Override
    public CompletableFuture<List<LiteMessage>> receive(String broker, int maxMessages) {
        Objects.requireNonNull(broker, "broker");
        if (maxMessages < 1 || maxMessages > MAX_MESSAGES) {
            return CompletableFuture.failedFuture(
                    new IllegalArgumentException(
                            "maxMessages: " + maxMessages + " (expected: 1 to 32)"));
        }
        return session.onLoop(result -> poll(broker, maxMessages, result));
    }

    @Override
    public CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        return settlement.ack(entries);
    }

    @Override
    public CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend) {
        return settlement.changeInvisibleDuration(entry, invisibleDuration, suspend);
    }

    @Override
    public CompletableFuture<Void> withdraw() {
        return session.onLoop(
                result ->
                        role.withdraw()
                                .whenComplete(
                                        (done, error) -> {
                                            if (error == null) {
                                                result.complete(null);
                                            } else {
                                                result.completeExceptionally(
                                                        Failures.of(error, session.endpoint()));
                                            }
                                        }));
    }

    @Override
    public void close() {
        SessionEnd.await(session.close(), loop);
    }

    private void poll(String broker, int maxMessages, CompletableFuture<List<LiteMessage>> result) {
        long askedAfter = role.withdrawals();
        session.ready(config.requestTimeout())
                .thenAccept(channel -> role.poll(channel, broker, maxMessages, askedAfter, result))
                .whenComplete(
                        (sent, error) -> {
                            if (error != null) {
                                result.completeExceptionally(
                                        Failures.of(error, session.endpoint()));
                            }
                        });
    }
}
