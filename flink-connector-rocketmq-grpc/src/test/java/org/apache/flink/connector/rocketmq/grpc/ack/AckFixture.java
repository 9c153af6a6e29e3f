/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;

/**
 * A topic and group of its own on the real cluster, with an acknowledging client beside a consumer
 * that polls all the time and numbers the messages of each delivery as the source does.
 */
final class AckFixture implements AutoCloseable {

    private static final int POLLS = 2;

    /** A poll may fail on a slow machine; the next one comes a little later. */
    private static final Executor AGAIN =
            CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS);

    final LiteTopicFixture server;
    final RocketMQLiteAckClient client;
    private final LiteSimpleConsumer consumer;
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private volatile Consumer<Arrival> listener = arrival -> {};
    private volatile boolean closed;

    AckFixture(Duration invisibleDuration) throws Exception {
        this(invisibleDuration, new Configuration());
    }

    AckFixture(Duration invisibleDuration, Configuration ackOptions) throws Exception {
        server = LiteTopicFixture.create();
        client = RocketMQLiteAckClient.acquire(AckConfig.from(ackOptions));
        consumer =
                LiteSimpleConsumer.create(
                        LiteClientConfig.builder()
                                .endpoints(Endpoints.parse(server.endpoints()))
                                .build(),
                        new LiteSubscription(
                                server.topic(),
                                server.group(),
                                Duration.ofSeconds(5),
                                invisibleDuration));
    }

    /** Joins and polls from now on; the listener is called on the consumer's thread. */
    void receive(Consumer<Arrival> newListener) throws Exception {
        listener = newListener;
        consumer.start().get(30, TimeUnit.SECONDS);
        for (String broker : consumer.brokers()) {
            for (int i = 0; i < POLLS; i++) {
                poll(broker);
            }
        }
    }

    private void poll(String broker) {
        if (closed) {
            return;
        }
        consumer.receive(broker, 32)
                .whenComplete(
                        (messages, error) -> {
                            if (closed) {
                                return;
                            }
                            if (error != null) {
                                errors.add(error);
                                AGAIN.execute(() -> poll(broker));
                                return;
                            }
                            deliver(messages);
                            poll(broker);
                        });
    }

    private void deliver(List<LiteMessage> messages) {
        Map<String, List<LiteMessage>> deliveries = new HashMap<>();
        for (LiteMessage message : messages) {
            deliveries.computeIfAbsent(message.liteTopic(), key -> new ArrayList<>()).add(message);
        }
        long now = System.nanoTime();
        for (List<LiteMessage> delivery : deliveries.values()) {
            for (int i = 0; i < delivery.size(); i++) {
                LiteMessage message = delivery.get(i);
                RocketMQReceiptHandle handle =
                        RocketMQReceiptHandleCodec.begin(message, endpoint(), "", server.group())
                                .place(i, i == delivery.size() - 1)
                                .build();
                listener.accept(
                        new Arrival(
                                new String(message.body(), StandardCharsets.UTF_8), handle, now));
            }
        }
    }

    private String endpoint() {
        return Endpoints.parse(server.endpoints()).toString();
    }

    /** Failed polls; a test expects none. */
    List<Throwable> errors() {
        return Collections.unmodifiableList(new ArrayList<>(errors));
    }

    @Override
    public void close() {
        closed = true;
        client.release();
        consumer.close();
        server.close();
    }

    /** One message as it arrived. */
    static final class Arrival {
        final String body;
        final RocketMQReceiptHandle handle;
        final long atNanos;

        Arrival(String body, RocketMQReceiptHandle handle, long atNanos) {
            this.body = body;
            this.handle = handle;
            this.atNanos = atNanos;
        }

        String liteTopic() {
            return handle.getLiteTopic();
        }
    }
}
