/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;

/** A topic and a group at a fake proxy, and clients of them, for tests of faults. */
final class ClientAtFake {

    static final String TOPIC = "main";
    static final String GROUP = "group";
    static final Duration INVISIBLE = Duration.ofSeconds(10);

    private ClientAtFake() {}

    static void createTopicAndGroup(FakeProxy proxy) {
        proxy.createLiteTopic(TOPIC);
        proxy.createLiteGroup(GROUP, TOPIC);
    }

    static LiteSimpleConsumer consumer(String endpoints) {
        return LiteSimpleConsumer.create(
                config(endpoints),
                new LiteSubscription(TOPIC, GROUP, Duration.ofSeconds(20), INVISIBLE));
    }

    static LiteSimpleConsumer startedConsumer(FakeProxy proxy) throws Exception {
        LiteSimpleConsumer consumer = consumer(proxy.endpoints());
        consumer.start().get(10, TimeUnit.SECONDS);
        return consumer;
    }

    static LiteAcknowledger startedAcknowledger(FakeProxy proxy) throws Exception {
        LiteAcknowledger acknowledger =
                LiteAcknowledger.create(config(proxy.endpoints()), GROUP, TOPIC);
        acknowledger.start().get(10, TimeUnit.SECONDS);
        return acknowledger;
    }

    static LiteProducer startedProducer(FakeProxy proxy) throws Exception {
        LiteProducer producer = LiteProducer.create(config(proxy.endpoints()), TOPIC);
        producer.start().get(10, TimeUnit.SECONDS);
        return producer;
    }

    static LiteClientConfig config(String endpoints) {
        return LiteClientConfig.builder()
                .endpoints(Endpoints.parse(endpoints))
                .requestTimeout(Duration.ofSeconds(2))
                .build();
    }

    static void send(FakeProxy proxy, String liteTopic, String body) {
        proxy.send(TOPIC, message(liteTopic, body));
    }

    static LiteOutgoingMessage message(String liteTopic, String body) {
        return LiteOutgoingMessage.of(liteTopic, body.getBytes(StandardCharsets.UTF_8));
    }

    static List<LiteMessage> receive(LiteSimpleConsumer consumer) throws Exception {
        return consumer.receive(FakeProxy.BROKER_A, 32).get(10, TimeUnit.SECONDS);
    }

    /** A poll that the fake holds. */
    static CompletableFuture<List<LiteMessage>> parked(
            FakeProxy proxy, LiteSimpleConsumer consumer) {
        int before = proxy.pendingPolls();
        CompletableFuture<List<LiteMessage>> poll = consumer.receive(FakeProxy.BROKER_A, 32);
        await().until(() -> proxy.pendingPolls() > before);
        return poll;
    }

    static AckEntry entry(LiteMessage message) {
        return entry(message, message.receiptHandle());
    }

    static AckEntry entry(LiteMessage message, String handle) {
        return new AckEntry(message.topic(), message.liteTopic(), message.messageId(), handle);
    }

    static RpcException failureOf(CompletableFuture<?> future) throws Exception {
        try {
            future.get(15, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(RpcException.class);
            return (RpcException) e.getCause();
        }
        throw new AssertionError("expected a failure");
    }
}
