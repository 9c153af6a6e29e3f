/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import apache.rocketmq.v2.Code;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proxies that go away, or answer late, between the receipt of a message and its ack. */
@Timeout(180)
class AckProxyLossTest {

    private static final String TOPIC = "main";
    private static final String GROUP = "GID";
    private static final Duration INVISIBLE = Duration.ofSeconds(60);

    private final List<FakeProxy> proxies = new ArrayList<>();

    private FakeProxy proxy(FakeProxy proxy) {
        proxies.add(proxy);
        proxy.createLiteTopic(TOPIC);
        proxy.createLiteGroup(GROUP, TOPIC);
        return proxy;
    }

    @AfterEach
    void closeProxies() {
        proxies.forEach(FakeProxy::close);
    }

    private static void send(FakeProxy proxy, String liteTopic) {
        proxy.send(
                TOPIC,
                LiteOutgoingMessage.of(liteTopic, liteTopic.getBytes(StandardCharsets.UTF_8)));
    }

    /** Receives so many messages through these endpoints. */
    private static List<RocketMQReceiptHandle> receive(String endpoints, int count)
            throws Exception {
        List<RocketMQReceiptHandle> handles = new ArrayList<>();
        Endpoints parsed = Endpoints.parse(endpoints);
        try (LiteSimpleConsumer consumer =
                LiteSimpleConsumer.create(
                        LiteClientConfig.builder().endpoints(parsed).build(),
                        new LiteSubscription(TOPIC, GROUP, Duration.ofSeconds(20), INVISIBLE))) {
            consumer.start().get(30, TimeUnit.SECONDS);
            while (handles.size() < count) {
                for (LiteMessage message :
                        consumer.receive(FakeProxy.BROKER_A, 32).get(60, TimeUnit.SECONDS)) {
                    handles.add(
                            RocketMQReceiptHandleCodec.begin(message, parsed.toString(), "", GROUP)
                                    .place(0, true)
                                    .build());
                }
            }
        }
        return handles;
    }

    // case 6
    @Test
    void anAckGoesToTheNextProxyOfItsHandleWhenTheOneThatGaveItIsGone() throws Exception {
        FakeProxy first = proxy(FakeProxy.start());
        FakeProxy second = proxy(FakeProxy.start());
        second.script(Rpc.ACK).answer(Code.OK);
        send(first, "a");
        send(first, "b");
        String both = first.endpoints() + ";" + second.endpoints();
        List<RocketMQReceiptHandle> handles = receive(both, 2);
        RocketMQLiteAckClient client =
                RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
        try {
            assertThat(client.ack(handles.get(0)).get(30, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.SETTLED);
            assertThat(first.count(Rpc.ACK)).isEqualTo(1);
            first.stopListening();

            assertThat(client.ack(handles.get(1)).get(60, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.SETTLED);
            assertThat(second.count(Rpc.ACK)).isEqualTo(1);
        } finally {
            client.release();
        }
    }

    @Test
    void aClientThatStartsWhileTheFirstProxyIsGoneAcksThroughTheNext() throws Exception {
        FakeProxy first = proxy(FakeProxy.start());
        FakeProxy second = proxy(FakeProxy.start());
        second.script(Rpc.ACK).answer(Code.OK);
        send(first, "a");
        RocketMQReceiptHandle handle =
                receive(first.endpoints() + ";" + second.endpoints(), 1).get(0);
        first.stopListening();
        RocketMQLiteAckClient client =
                RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
        try {
            assertThat(client.ack(handle).get(60, TimeUnit.SECONDS)).isEqualTo(AckOutcome.SETTLED);
            assertThat(second.count(Rpc.ACK)).isEqualTo(1);
        } finally {
            client.release();
        }
    }

    @Test
    void anAckThatOpensTheSessionWhileTheOnlyProxyIsAwayWaitsForItsReturn() throws Exception {
        FakeProxy only = proxy(FakeProxy.start());
        send(only, "a");
        RocketMQReceiptHandle handle = receive(only.endpoints(), 1).get(0);
        only.stopListening();
        RocketMQLiteAckClient client =
                RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
        try {
            CompletableFuture<AckOutcome> ack = client.ack(handle);
            // longer than any other start may take
            Awaitility.await()
                    .pollDelay(LiteClientConfig.DEFAULT_START_PATIENCE.plusSeconds(1))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> client.stats().retried.get() > 0);
            assertThat(ack).isNotDone();
            only.startListening();

            assertThat(ack.get(60, TimeUnit.SECONDS)).isEqualTo(AckOutcome.SETTLED);
            assertThat(only.committed(TOPIC, GROUP, handle.getLiteTopic())).isEqualTo(1);
        } finally {
            client.release();
        }
    }

    @Test
    void anAckThatOpensTheSessionEndsWithItsLeaseAndTheMessageComesAgain() throws Exception {
        ManualClock clock = new ManualClock();
        FakeProxy only = proxy(FakeProxy.builder().clock(clock).start());
        send(only, "a");
        RocketMQReceiptHandle handle =
                receive(only.endpoints(), 1).get(0).toBuilder()
                        .receipt("r", System.currentTimeMillis() + 2_000)
                        .build();
        only.stopListening();
        RocketMQLiteAckClient client =
                RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
        try {
            assertThat(client.ack(handle).get(60, TimeUnit.SECONDS)).isEqualTo(AckOutcome.STALE);
        } finally {
            client.release();
        }
        only.startListening();
        clock.advance(INVISIBLE.plusSeconds(1));

        assertThat(receive(only.endpoints(), 1).get(0).getMessageId())
                .isEqualTo(handle.getMessageId());
    }

    @Test
    void aSessionThatIsRefusedFailsTheAckAtOnceAndNamesTheMessage() throws Exception {
        FakeProxy only = proxy(FakeProxy.start());
        send(only, "a");
        RocketMQReceiptHandle handle = receive(only.endpoints(), 1).get(0);
        only.script(Rpc.TELEMETRY).answer(Code.UNAUTHORIZED);
        RocketMQLiteAckClient client =
                RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
        try {
            assertThatThrownBy(() -> client.ack(handle).get(60, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            AckFailedException.class, e -> assertThat(e.isFatal()).isTrue())
                    .hasMessageContaining(only.endpoints())
                    .hasMessageContaining("code UNAUTHORIZED")
                    .hasMessageContaining("lite topic a, message " + handle.getMessageId());
            assertThat(client.stats().retried).hasValue(0);
        } finally {
            client.release();
        }
    }

    // case 17
    @Test
    void anAckUnderWayArrivesBeforeTheClientClosesUnlessThatTakesLongerThanTheCloseTimeout()
            throws Exception {
        FakeProxy proxy = proxy(FakeProxy.start());
        send(proxy, "a");
        send(proxy, "b");
        List<RocketMQReceiptHandle> handles = receive(proxy.endpoints(), 2);
        proxy.script(Rpc.ACK).times(1).delay(Duration.ofSeconds(1));
        Acking patient = new Acking(Duration.ofSeconds(60));
        ackAndClose(patient, handles.get(0));
        assertThat(proxy.committed(TOPIC, GROUP, handles.get(0).getLiteTopic())).isEqualTo(1);
        assertThat(patient.client.stats().lostAtClose).hasValue(0);

        proxy.script(Rpc.ACK).delay(Duration.ofSeconds(60));
        Acking hasty = new Acking(Duration.ofMillis(300));
        long begun = System.nanoTime();
        ackAndClose(hasty, handles.get(1));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(40));
        assertThat(proxy.committed(TOPIC, GROUP, handles.get(1).getLiteTopic())).isZero();
        assertThat(hasty.client.stats().lostAtClose).hasValue(1);
    }

    private static void ackAndClose(Acking function, RocketMQReceiptHandle handle)
            throws Exception {
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(function));
        harness.open();
        harness.processElement(new AckableMessage<>("value", handle), 1);
        harness.close();
    }

    /** Acks what it gets. */
    private static final class Acking extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private transient RocketMQLiteAckClient client;

        Acking(Duration closeTimeout) {
            super(new Configuration().set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, closeTimeout));
        }

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            client = super.acquireClient(config);
            return client;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            ack(message);
        }
    }
}
