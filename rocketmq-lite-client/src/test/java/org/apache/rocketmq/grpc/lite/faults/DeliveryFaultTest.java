/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.faults;

import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.GROUP;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.TOPIC;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.createTopicAndGroup;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.entry;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.failureOf;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.message;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.receive;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.send;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedConsumer;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedProducer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.ChangeInvisibleDurationRequest;
import apache.rocketmq.v2.Code;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that fail half-way lose no message and repeat nothing on their own. */
@Timeout(60)
class DeliveryFaultTest {

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
    void brokenReceiveStreamIsReleasedAndNotLost() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            send(proxy, "x", "1");
            send(proxy, "x", "2");
            send(proxy, "y", "3");
            proxy.script(Rpc.RECEIVE).times(1).breakAfter(3);
            RpcException failure = failureOf(consumer.receive("broker-a", 32));
            assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            int again = receive(consumer).size();
            if (again < 3) {
                again += receive(consumer).size();
            }
            assertThat(again).isEqualTo(3);
            assertThat(proxy.recorded(Rpc.CHANGE_INVISIBLE_DURATION))
                    .hasSize(2)
                    .allSatisfy(
                            call -> {
                                ChangeInvisibleDurationRequest release =
                                        call.request(ChangeInvisibleDurationRequest.class);
                                assertThat(release.getSuspend()).isTrue();
                                assertThat(release.getInvisibleDuration().getSeconds()).isZero();
                            });
        }
    }

    @Test
    void corruptedBodyIsToldAndNotHidden() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            send(proxy, "x", "1");
            proxy.script(Rpc.RECEIVE).times(1).corruptBody();
            assertThat(receive(consumer)).hasSize(1).noneMatch(LiteMessage::isBodyIntact);
        }
    }

    @Test
    void emptyAnswersThatComeAtOnceCostOneRequestPerReceive() throws Exception {
        // beside case 23
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.script(Rpc.RECEIVE).emptyAtOnce();
            for (int i = 0; i < 20; i++) {
                assertThat(receive(consumer)).isEmpty();
            }
            assertThat(proxy.count(Rpc.RECEIVE)).isEqualTo(20);
            assertThat(proxy.count(Rpc.SYNC_LITE_SUBSCRIPTION)).isLessThan(5);
            assertThat(proxy.count(Rpc.QUERY_ROUTE)).isLessThan(3);
        }
    }

    @Test
    void failingReceivesAreNotRepeatedByTheClient() throws Exception {
        // beside case 23
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            proxy.script(Rpc.RECEIVE).answer(Code.TOO_MANY_REQUESTS);
            for (int i = 0; i < 20; i++) {
                failureOf(consumer.receive("broker-a", 32));
            }
            assertThat(proxy.count(Rpc.RECEIVE)).isEqualTo(20);
        }
    }

    @Test
    void failedChangeLeavesTheOldHandleGood() throws Exception {
        // beside case 2
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            send(proxy, "x", "1");
            LiteMessage message = receive(consumer).get(0);
            proxy.script(Rpc.CHANGE_INVISIBLE_DURATION).times(1).answer(Code.INTERNAL_ERROR);
            RpcException failure =
                    failureOf(
                            consumer.changeInvisibleDuration(
                                    entry(message), Duration.ofSeconds(30), false));
            assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            assertThat(failure.code()).isEqualTo("INTERNAL_ERROR");
            assertThat(consumer.ack(List.of(entry(message))).get(5, TimeUnit.SECONDS))
                    .allMatch(AckResult::isOk);
            assertThat(proxy.committed(TOPIC, GROUP, "x")).isEqualTo(1);
        }
    }

    @Test
    void eachRefusedEntryOfAnAckIsToldApart() throws Exception {
        // beside case 5
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            send(proxy, "x", "1");
            send(proxy, "y", "2");
            send(proxy, "z", "3");
            List<LiteMessage> messages = receive(consumer);
            assertThat(messages).hasSize(3);
            proxy.script(Rpc.ACK)
                    .times(1)
                    .failEntries(e -> e.getLiteTopic().equals("y"), Code.TOO_MANY_REQUESTS);
            List<AckResult> results =
                    consumer.ack(
                                    List.of(
                                            entry(messages.get(0)),
                                            entry(messages.get(1)),
                                            entry(messages.get(2))))
                            .get(5, TimeUnit.SECONDS);
            for (AckResult result : results) {
                assertThat(result.isOk()).isNotEqualTo(result.entry().liteTopic().equals("y"));
            }
            assertThat(proxy.committed(TOPIC, GROUP, "y")).isZero();
            assertThat(proxy.count(Rpc.ACK)).isEqualTo(1);
        }
    }

    @Test
    void ackThatGotNoAnswerIsTransientAndRepeatingItIsHarmless() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            send(proxy, "x", "1");
            LiteMessage message = receive(consumer).get(0);
            proxy.script(Rpc.ACK).times(1).loseAnswer(Status.UNAVAILABLE);
            RpcException failure = failureOf(consumer.ack(List.of(entry(message))));
            assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            assertThat(consumer.ack(List.of(entry(message))).get(5, TimeUnit.SECONDS))
                    .allMatch(AckResult::isOk);
            assertThat(proxy.committed(TOPIC, GROUP, "x")).isEqualTo(1);
        }
    }

    @Test
    void silentServerEndsACallAtTheRequestTimeout() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            send(proxy, "x", "1");
            LiteMessage message = receive(consumer).get(0);
            proxy.script(Rpc.ACK).times(1).never();
            long begin = System.nanoTime();
            RpcException failure = failureOf(consumer.ack(List.of(entry(message))));
            assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
            assertThat(failure.code()).isEqualTo("DEADLINE_EXCEEDED");
            assertThat(Duration.ofNanos(System.nanoTime() - begin))
                    .isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(10));
        }
    }

    @Test
    void sendIsTriedOnceAndItsRefusalIsNamed() throws Exception {
        try (LiteProducer producer = startedProducer(proxy)) {
            proxy.script(Rpc.SEND).times(1).answer(Code.LITE_TOPIC_QUOTA_EXCEEDED);
            proxy.script(Rpc.SEND).times(1).grpcStatus(Status.UNAVAILABLE);
            assertThat(failureOf(producer.send(message("x", "1"))).code())
                    .isEqualTo("LITE_TOPIC_QUOTA_EXCEEDED");
            assertThat(failureOf(producer.send(message("x", "1"))).code()).isEqualTo("UNAVAILABLE");
            assertThat(proxy.count(Rpc.SEND)).isEqualTo(2);
            producer.send(message("x", "1")).get(5, TimeUnit.SECONDS);
            assertThat(proxy.max(TOPIC, "x")).isEqualTo(1);
        }
    }

    @Test
    void bothBrokersAreDrained() throws Exception {
        // beside case 31
        try (FakeProxy two = FakeProxy.builder().brokers("broker-a", "broker-b").start()) {
            createTopicAndGroup(two);
            two.sendTo("broker-a", TOPIC, message("x", "1"));
            two.sendTo("broker-b", TOPIC, message("y", "2"));
            try (LiteSimpleConsumer consumer = startedConsumer(two)) {
                assertThat(consumer.brokers()).containsExactlyInAnyOrder("broker-a", "broker-b");
                for (String broker : consumer.brokers()) {
                    List<LiteMessage> messages =
                            consumer.receive(broker, 32).get(10, TimeUnit.SECONDS);
                    assertThat(messages).hasSize(1);
                    assertThat(messages.get(0).broker()).isEqualTo(broker);
                    consumer.ack(List.of(entry(messages.get(0)))).get(5, TimeUnit.SECONDS);
                }
                await().until(() -> two.backlog(TOPIC, GROUP) == 0);
            }
        }
    }
}
