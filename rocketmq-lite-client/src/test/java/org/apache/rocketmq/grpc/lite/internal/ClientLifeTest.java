/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** From creation to the end of the last thread, also when things go wrong on the way. */
@Timeout(60)
class ClientLifeTest {

    private static final AckEntry ENTRY = new AckEntry("L", "lite", "m", "handle");

    private FakeProxy proxy;

    @BeforeEach
    void startProxy() {
        proxy = FakeProxy.builder().refuseLiteSimpleConsumer().start();
        proxy.createLiteTopic("L");
        proxy.createLiteGroup("G", "L");
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
    }

    @Test
    void aClientThatWasNeverStartedHasNoThreadAndClosesAtOnce() {
        awaitNoThreads();
        LiteSimpleConsumer consumer = consumer("G");
        assertThat(clientThreads()).isEmpty();
        consumer.close();
        consumer.close();
        assertClosed(consumer.start());
        assertClosed(consumer.receive("broker-a", 32));
        assertThat(clientThreads()).isEmpty();
    }

    // beside case 32
    @Test
    void fiftyFailedStartsLeaveNoThreadEvenIfNobodyClosesThem() {
        for (int i = 0; i < 50; i++) {
            assertThatThrownBy(() -> consumer("unknown").start().get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(RpcException.class);
        }
        awaitNoThreads();
        assertThat(proxy.openTelemetry()).isZero();
    }

    // beside case 32
    @Test
    void fiftyClientsOfEachKindLeaveNoThreadAndNoSession() throws Exception {
        for (int i = 0; i < 50; i++) {
            try (LiteSimpleConsumer consumer = consumer("G");
                    LiteAcknowledger acknowledger = LiteAcknowledger.create(config(), "G", "L");
                    LiteProducer producer = LiteProducer.create(config(), "L")) {
                CompletableFuture.allOf(consumer.start(), acknowledger.start(), producer.start())
                        .get(10, TimeUnit.SECONDS);
            }
        }
        awaitNoThreads();
        await().untilAsserted(() -> assertThat(proxy.openConnections()).isZero());
        assertThat(proxy.clientIds()).isEmpty();
        assertThat(proxy.subscribers()).isEmpty();
    }

    @Test
    void aClosedClientRefusesEveryCall() throws Exception {
        LiteSimpleConsumer consumer = consumer("G");
        LiteProducer producer = LiteProducer.create(config(), "L");
        consumer.start().get(10, TimeUnit.SECONDS);
        producer.start().get(10, TimeUnit.SECONDS);
        consumer.close();
        producer.close();
        assertClosed(consumer.receive("broker-a", 32));
        assertClosed(consumer.ack(List.of(ENTRY)));
        assertClosed(consumer.changeInvisibleDuration(ENTRY, Duration.ZERO, true));
        assertClosed(consumer.start());
        assertClosed(producer.send(LiteOutgoingMessage.of("lite", new byte[1])));
    }

    // beside case 29
    @Test
    void anInterruptDoesNotKeepTheThreadsAliveAndIsNotLost() throws Exception {
        LiteSimpleConsumer consumer = consumer("G");
        consumer.start().get(10, TimeUnit.SECONDS);
        consumer.receive("broker-a", 32);
        Thread.currentThread().interrupt();
        long start = System.nanoTime();
        consumer.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
        awaitNoThreads();
        consumer.close();
    }

    @Test
    void closingFromAContinuationDoesNotWaitForItself() throws Exception {
        LiteSimpleConsumer consumer = consumer("G");
        CompletableFuture<Void> closed = consumer.start().thenRun(consumer::close);
        closed.get(10, TimeUnit.SECONDS);
        awaitNoThreads();
    }

    @Test
    void closingDuringTheStartFailsTheStart() {
        proxy.stopListening();
        LiteSimpleConsumer consumer = consumer("G");
        CompletableFuture<Void> start = consumer.start();
        consumer.close();
        assertClosed(start);
        awaitNoThreads();
    }

    @Test
    void wrongArgumentsAreRefusedBeforeAnyCall() {
        LiteSimpleConsumer consumer = consumer("G");
        assertIllegal(consumer.receive("broker-a", 0), "maxMessages: 0");
        assertIllegal(consumer.receive("broker-a", 33), "maxMessages: 33");
        assertIllegal(consumer.ack(List.of()), "entries: 0");
        assertIllegal(
                consumer.ack(List.of(ENTRY, new AckEntry("M", "lite", "m", "h"))),
                "of topics L and M");
        assertIllegal(
                consumer.changeInvisibleDuration(ENTRY, Duration.ofHours(13), true),
                "invisibleDuration: PT13H");
        assertIllegal(
                consumer.changeInvisibleDuration(ENTRY, Duration.ofMillis(-1), true),
                "invisibleDuration: PT-0.001S");
        consumer.close();
    }

    private LiteSimpleConsumer consumer(String group) {
        return LiteSimpleConsumer.create(
                config(),
                new LiteSubscription("L", group, Duration.ofSeconds(20), Duration.ofSeconds(30)));
    }

    private LiteClientConfig config() {
        return LiteClientConfig.builder().endpoints(Endpoints.parse(proxy.endpoints())).build();
    }

    private static void assertClosed(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        RpcException.class, e -> assertThat(e.code()).isEqualTo("CLOSED"));
    }

    private static void assertIllegal(CompletableFuture<?> call, String text) {
        assertThatThrownBy(() -> call.get(5, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    private static void awaitNoThreads() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(clientThreads()).isEmpty());
    }

    /**
     * Threads of a client, or started by gRPC on its behalf; the fake server's have other names.
     */
    private static Set<String> clientThreads() {
        Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            if (name.matches(
                    "rocketmq-(consumer|acknowledger|producer)-.*|grpc-.*|globalEvent.*")) {
                names.add(name);
            }
        }
        return names;
    }
}
