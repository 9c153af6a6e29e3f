/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.faults;

import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.TOPIC;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.consumer;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.createTopicAndGroup;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.entry;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.failureOf;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.parked;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.receive;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.send;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedAcknowledger;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedConsumer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.TelemetryCommand;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.apache.rocketmq.grpc.lite.fixtures.RecordedCall;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.apache.rocketmq.grpc.lite.fixtures.ScriptRule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The session survives whatever takes it away, and says so when it cannot come to be. */
@Timeout(60)
class SessionFaultTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private FakeProxy proxy;

    @BeforeEach
    void start() {
        proxy = FakeProxy.builder().clock(new ManualClock()).start();
        createTopicAndGroup(proxy);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void brokenTelemetryIsOpenedAgainAndSubscribedAtOnce() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            CompletableFuture<List<LiteMessage>> poll = parked(proxy, consumer);
            String lost = proxy.subscribers().iterator().next();
            proxy.dropTelemetry();
            // every session has a client id of its own
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(proxy.subscribers()).hasSize(1).doesNotContain(lost));
            send(proxy, "x", "after");
            CompletableFuture<List<LiteMessage>> next =
                    poll.handle((messages, error) -> error == null && !messages.isEmpty())
                            .thenCompose(got -> got ? poll : consumer.receive("broker-a", 32));
            assertThat(next.get(10, TimeUnit.SECONDS)).hasSize(1);
        }
    }

    @Test
    void aLostIdThatCannotBeTakenBackHoldsTheNewSessionUpForASecondAtMost() throws Exception {
        LiteClientConfig patient =
                LiteClientConfig.builder()
                        .endpoints(Endpoints.parse(proxy.endpoints()))
                        .requestTimeout(Duration.ofSeconds(300))
                        .build();
        try (LiteSimpleConsumer consumer =
                LiteSimpleConsumer.create(
                        patient,
                        new LiteSubscription(
                                TOPIC,
                                ClientAtFake.GROUP,
                                Duration.ofSeconds(20),
                                ClientAtFake.INVISIBLE))) {
            consumer.start().get(30, TimeUnit.SECONDS);
            proxy.script(Rpc.SYNC_LITE_SUBSCRIPTION).times(1).hold().release();
            ScriptRule burial = proxy.script(Rpc.SYNC_LITE_SUBSCRIPTION).times(1).never();
            proxy.dropTelemetry();
            await().atMost(SOON).until(() -> burial.hits() == 1);
            send(proxy, "x", "after");
            assertThat(consumer.receive("broker-a", 32).get(30, TimeUnit.SECONDS)).hasSize(1);
        }
    }

    @Test
    void aStartTakesAsLongAsItsPatienceAndThenSaysSo() throws Exception {
        proxy.stopListening();
        LiteClientConfig config =
                ClientAtFake.config(proxy.endpoints()).withStartPatience(Duration.ofSeconds(2));
        try (LiteAcknowledger acknowledger =
                LiteAcknowledger.create(config, ClientAtFake.GROUP, TOPIC)) {
            RpcException failure = failureOf(acknowledger.start());
            assertThat(failure.kind()).isEqualTo(ErrorKind.FATAL);
            assertThat(failure).hasMessageContaining("No session within 2 s");
        }
    }

    @Test
    void closedConnectionIsOpenedAgain() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            CompletableFuture<List<LiteMessage>> poll = parked(proxy, consumer);
            proxy.closeConnections();
            RpcException failure = failureOf(poll);
            assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            await().atMost(SOON).until(() -> !proxy.subscribers().isEmpty());
            send(proxy, "x", "after");
            assertThat(receive(consumer)).hasSize(1);
        }
    }

    @Test
    void proxyThatIsAwayForAWhileIsFoundAgain() throws Exception {
        // beside case 25
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.stopListening();
            RpcException failure = failureOf(consumer.receive("broker-a", 32));
            assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            proxy.startListening();
            await().atMost(SOON).until(() -> !proxy.subscribers().isEmpty());
            send(proxy, "x", "after");
            assertThat(receive(consumer)).hasSize(1);
        }
    }

    @Test
    void forgottenClientIntroducesItselfAgain() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.forgetClient(proxy.clientIds().iterator().next());
            failureOf(consumer.receive("broker-a", 32));
            await().atMost(SOON).until(() -> !proxy.subscribers().isEmpty());
            send(proxy, "x", "after");
            assertThat(receive(consumer)).hasSize(1);
        }
    }

    @Test
    void forgottenAcknowledgerDefersAgainWithoutEverSubscribing() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy);
                LiteAcknowledger acknowledger = startedAcknowledger(proxy)) {
            send(proxy, "x", "1");
            LiteMessage message = receive(consumer).get(0);
            for (String clientId : proxy.clientIds()) {
                if (!proxy.subscribers().contains(clientId)) {
                    proxy.forgetClient(clientId);
                }
            }
            await().atMost(SOON)
                    .ignoreExceptionsInstanceOf(ExecutionException.class)
                    .until(
                            () ->
                                    !acknowledger
                                            .changeInvisibleDuration(
                                                    entry(message), Duration.ofSeconds(30), false)
                                            .get(5, TimeUnit.SECONDS)
                                            .isEmpty());
            List<AckResult> acked =
                    acknowledger.ack(List.of(entry(message))).get(5, TimeUnit.SECONDS);
            assertThat(acked).allMatch(AckResult::isOk);
            assertThat(proxy.subscribers()).hasSize(1);
            assertThat(proxy.committed(TOPIC, ClientAtFake.GROUP, "x")).isEqualTo(1);
        }
    }

    @Test
    void clientTypeThatServer550RefusesIsReplacedAndTheAnswerRemembered() throws Exception {
        // beside case 34
        try (FakeProxy old = FakeProxy.builder().refuseLiteSimpleConsumer().start()) {
            createTopicAndGroup(old);
            try (LiteSimpleConsumer consumer = startedConsumer(old)) {
                assertThat(types(old))
                        .containsExactly(
                                ClientType.LITE_SIMPLE_CONSUMER, ClientType.LITE_PUSH_CONSUMER);
                send(old, "x", "1");
                assertThat(receive(consumer)).hasSize(1);
                old.dropTelemetry();
                await().atMost(SOON).until(() -> old.count(Rpc.TELEMETRY) == 3);
                assertThat(types(old)).endsWith(ClientType.LITE_PUSH_CONSUMER);
            }
        }
    }

    @Test
    void serverThatTakesNoLiteClientTypeIsNamedWithTheVersionItWouldTake() throws Exception {
        // case 34
        try (FakeProxy old =
                FakeProxy.builder()
                        .refuseClientTypes("LITE_SIMPLE_CONSUMER", "LITE_PUSH_CONSUMER")
                        .start()) {
            createTopicAndGroup(old);
            try (LiteSimpleConsumer consumer = consumer(old.endpoints())) {
                RpcException failure = failureOf(consumer.start());
                assertThat(failure.kind()).isEqualTo(ErrorKind.FATAL);
                assertThat(failure)
                        .hasMessageContaining(old.endpoints())
                        .hasMessageContaining("takes no lite consumers")
                        .hasMessageContaining("RocketMQ 5.5.0 or later");
            }
            assertThat(old.count(Rpc.TELEMETRY)).isEqualTo(2);
        }
    }

    @Test
    void serverThatIgnoresTheSettingsEndsTheStartInTime() throws Exception {
        // beside case 34
        proxy.script(Rpc.TELEMETRY).never();
        try (LiteSimpleConsumer consumer = consumer(proxy.endpoints())) {
            long begin = System.nanoTime();
            RpcException failure = failureOf(consumer.start());
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isLessThan(Duration.ofSeconds(12));
            assertThat(failure.kind()).isEqualTo(ErrorKind.FATAL);
            assertThat(failure).hasMessageContaining(proxy.endpoints());
        }
    }

    @Test
    void brokerWithoutRouteAfterTheFirstSuccessIsTransient() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.script(Rpc.RECEIVE).times(1).answer(Code.TOPIC_NOT_FOUND);
            proxy.script(Rpc.RECEIVE).times(1).answer(Code.TOO_MANY_REQUESTS);
            proxy.script(Rpc.RECEIVE).times(1).grpcStatus(Status.UNAVAILABLE);
            proxy.script(Rpc.RECEIVE).times(1).answer(Code.UNAUTHORIZED);
            for (String code : List.of("TOPIC_NOT_FOUND", "TOO_MANY_REQUESTS", "UNAVAILABLE")) {
                RpcException failure = failureOf(consumer.receive("broker-a", 32));
                assertThat(failure.code()).isEqualTo(code);
                assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            }
            assertThat(failureOf(consumer.receive("broker-a", 32)).kind())
                    .isEqualTo(ErrorKind.FATAL);
        }
    }

    @Test
    void brokerThatAnswersAgainIsSubscribedAtOnce() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.stopBroker("broker-a");
            failureOf(consumer.receive("broker-a", 32));
            proxy.startBroker("broker-a");
            assertThat(proxy.subscribers()).isEmpty();
            proxy.script(Rpc.RECEIVE).times(1).emptyAtOnce();
            assertThat(receive(consumer)).isEmpty();
            await().atMost(SOON).until(() -> !proxy.subscribers().isEmpty());
        }
    }

    @Test
    void everyCallCarriesTheClientsHeaders() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.script(Rpc.RECEIVE).times(1).emptyAtOnce();
            receive(consumer);
            RecordedCall call = proxy.recorded(Rpc.RECEIVE).get(0);
            assertThat(call.clientId()).isEqualTo(proxy.clientIds().iterator().next());
            assertThat(call.headers())
                    .containsEntry("x-mq-language", "JAVA")
                    .containsKeys("x-mq-client-version", "x-mq-protocol", "x-mq-request-id");
        }
    }

    private static List<ClientType> types(FakeProxy of) {
        return of.recorded(Rpc.TELEMETRY).stream()
                .map(call -> call.request(TelemetryCommand.class).getSettings().getClientType())
                .collect(Collectors.toList());
    }
}
