/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.AckMessageRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The safety valve with everything real but the server: client, ack client and operator against the
 * fake proxy, whose clock is moved.
 */
@Timeout(120)
class ThrottleValveTest {

    private static final String TOPIC = "main";
    private static final String GROUP = "group";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration TEN = Duration.ofSeconds(10);

    // case 1
    @Test
    void aMessageThatIsAlwaysDeferredLeavesThroughTheValveThoughItsAttemptStaysAtOne()
            throws Exception {
        ManualClock clock = new ManualClock();
        RocketMQThrottleProcessFunction<Integer> throttle =
                new RocketMQThrottleProcessFunction<>(value -> Optional.of(TEN));
        List<Integer> attempts = new ArrayList<>();
        try (FakeProxy proxy = FakeProxy.builder().clock(clock).start()) {
            proxy.createLiteTopic(TOPIC);
            proxy.createLiteGroup(GROUP, TOPIC);
            try (LiteSimpleConsumer consumer = consumer(proxy);
                    OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                            Throttles.start(throttle)) {
                consumer.start().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                for (int cycle = 0;
                        cycle < 40 && harness.extractOutputValues().isEmpty();
                        cycle++) {
                    send(proxy, cycle);
                    long deferrals = cycle + 1;
                    List<AckableMessage<Integer>> delivery = receive(proxy, consumer);
                    attempts.add(delivery.get(0).getReceiptHandle().getDeliveryAttempt());
                    harness.setProcessingTime(clock.millis());
                    for (AckableMessage<Integer> message : delivery) {
                        harness.processElement(message, clock.millis());
                    }
                    await().atMost(LIMIT).until(() -> deferralsAnswered(throttle) == deferrals);
                    clock.advance(TEN);
                }

                assertThat(harness.extractOutputValues()).containsExactly(0);
                assertThat(attempts).hasSize(17).containsOnly(1);
                assertThat(throttle.counters().forcedByCount.getCount()).isOne();
                assertThat(proxy.committed(TOPIC, GROUP, "hot")).isOne();
                assertThat(proxy.recorded(Rpc.ACK))
                        .singleElement()
                        .satisfies(
                                ack ->
                                        assertThat(
                                                        ack.request(AckMessageRequest.class)
                                                                .getEntriesList())
                                                .hasSize(1));
                assertThat(proxy.count(Rpc.CHANGE_INVISIBLE_DURATION)).isEqualTo(17);
            }
        }
    }

    private static long deferralsAnswered(ThrottlingFunction<?, ?> throttle) {
        return throttle.counters().deferralsDone.getCount();
    }

    private static LiteSimpleConsumer consumer(FakeProxy proxy) {
        return LiteSimpleConsumer.create(
                LiteClientConfig.builder().endpoints(Endpoints.parse(proxy.endpoints())).build(),
                new LiteSubscription(
                        TOPIC, GROUP, Duration.ofSeconds(20), Duration.ofSeconds(600)));
    }

    private static void send(FakeProxy proxy, int number) {
        byte[] body = Integer.toString(number).getBytes(StandardCharsets.UTF_8);
        proxy.send(TOPIC, LiteOutgoingMessage.of("hot", body));
    }

    /** One delivery, numbered as the source does. */
    private static List<AckableMessage<Integer>> receive(
            FakeProxy proxy, LiteSimpleConsumer consumer) throws Exception {
        List<LiteMessage> messages =
                consumer.receive(FakeProxy.BROKER_A, 32).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        String endpoint = Endpoints.parse(proxy.endpoints()).toString();
        List<AckableMessage<Integer>> delivery = new ArrayList<>();
        for (LiteMessage message : messages) {
            RocketMQReceiptHandle handle =
                    RocketMQReceiptHandleCodec.begin(message, endpoint, "", GROUP)
                            .place(delivery.size(), delivery.size() == messages.size() - 1)
                            .build();
            String body = new String(message.body(), StandardCharsets.UTF_8);
            delivery.add(new AckableMessage<>(Integer.valueOf(body), handle));
        }
        return delivery;
    }
}
