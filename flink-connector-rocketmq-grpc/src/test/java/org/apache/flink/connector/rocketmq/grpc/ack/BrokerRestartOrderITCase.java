/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Why acks keep the order of their delivery: the broker's memory of a delivery does not survive its
 * restart, and then an ack commits past every earlier message.
 */
@Timeout(300)
class BrokerRestartOrderITCase {

    private static final String LITE = "lite";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void anAckThatOvertakesLosesMessagesInABrokerRestartUnlessTheOrderIsKept() throws Exception {
        try (DevCluster cluster = DevCluster.builder().heap("192m").start();
                Reader none = new Reader(cluster, AckOrder.NONE);
                Reader auto = new Reader(cluster, AckOrder.AUTO);
                Reader strict = new Reader(cluster, AckOrder.LITE_TOPIC)) {
            for (Reader reader : List.of(none, auto, strict)) {
                reader.receiveDeliveryOfFour();
            }
            cluster.restartBroker(0);

            assertThat(none.ack(3)).as("overtakes three").isEqualTo(AckOutcome.SETTLED);
            assertThat(auto.ack(0))
                    .as("a stream keyed by lite topic")
                    .isEqualTo(AckOutcome.SETTLED);
            assertThat(auto.ack(1)).isEqualTo(AckOutcome.SETTLED);
            CompletableFuture<AckOutcome> held = strict.client.ack(strict.handles.get(3));
            strict.client.flush();
            assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);

            assertThat(none.receiveAgain()).as("0 to 2 are lost").containsExactly("end");
            assertThat(auto.receiveAgain()).containsExactly("2", "3", "end");
            assertThat(strict.receiveAgain()).containsExactly("0", "1", "2", "3", "end");
        }
    }

    /** A topic and group of its own, one consumer after the other, and an acknowledging client. */
    private static final class Reader implements AutoCloseable {
        private final LiteTopicFixture server;
        private final RocketMQLiteAckClient client;
        private final List<RocketMQReceiptHandle> handles = new ArrayList<>();

        Reader(DevCluster cluster, AckOrder order) throws Exception {
            server = LiteTopicFixture.create(cluster);
            client =
                    RocketMQLiteAckClient.acquire(
                            AckConfig.from(
                                    new Configuration().set(RocketMQGrpcAckOptions.ORDER, order)));
        }

        /** One message is acked before, so that the group has an offset. */
        void receiveDeliveryOfFour() throws Exception {
            try (LiteSimpleConsumer consumer = consumer()) {
                server.send(LITE, "before");
                assertThat(bodies(receive(consumer, 1))).containsExactly("before");
                assertThat(ack(0)).isEqualTo(AckOutcome.SETTLED);
                await().atMost(PATIENCE).until(() -> server.offsets().get(LITE).committed() == 1);
                for (int i = 0; i < 4; i++) {
                    server.send(LITE, String.valueOf(i));
                }
                assertThat(bodies(receive(consumer, 4)))
                        .as("one delivery, because nobody polled while they were sent")
                        .containsExactly("0", "1", "2", "3");
                assertThat(handles.stream().map(RocketMQReceiptHandle::getDeliveryId).distinct())
                        .hasSize(1);
            }
        }

        List<String> receiveAgain() throws Exception {
            List<String> bodies = new ArrayList<>();
            try (LiteSimpleConsumer consumer = consumer()) {
                server.send(LITE, "end");
                while (!bodies.contains("end")) {
                    bodies.addAll(bodies(receive(consumer, 1)));
                    for (RocketMQReceiptHandle handle : handles) {
                        client.ack(handle).get(30, TimeUnit.SECONDS);
                    }
                }
            }
            return bodies;
        }

        AckOutcome ack(int index) throws Exception {
            return client.ack(handles.get(index)).get(60, TimeUnit.SECONDS);
        }

        /** Tries again for a while: after its restart the broker's topics come back one by one. */
        private LiteSimpleConsumer consumer() throws Exception {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                LiteSimpleConsumer consumer = newConsumer();
                try {
                    consumer.start().get(60, TimeUnit.SECONDS);
                    return consumer;
                } catch (ExecutionException e) {
                    consumer.close();
                    if (System.nanoTime() > deadline) {
                        throw e;
                    }
                    TimeUnit.MILLISECONDS.sleep(200);
                }
            }
        }

        private LiteSimpleConsumer newConsumer() {
            return LiteSimpleConsumer.create(
                    LiteClientConfig.builder()
                            .endpoints(Endpoints.parse(server.endpoints()))
                            .build(),
                    new LiteSubscription(
                            server.topic(),
                            server.group(),
                            Duration.ofSeconds(5),
                            Duration.ofMinutes(5)));
        }

        /** Polls until a delivery is there, and keeps the handles of it. */
        private List<LiteMessage> receive(LiteSimpleConsumer consumer, int atLeast)
                throws Exception {
            List<LiteMessage> messages = new ArrayList<>();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (messages.size() < atLeast && System.nanoTime() < deadline) {
                for (String broker : consumer.brokers()) {
                    messages.addAll(consumer.receive(broker, 32).get(60, TimeUnit.SECONDS));
                }
            }
            assertThat(messages).hasSizeGreaterThanOrEqualTo(atLeast);
            handles.clear();
            String endpoint = Endpoints.parse(server.endpoints()).toString();
            for (int i = 0; i < messages.size(); i++) {
                handles.add(
                        RocketMQReceiptHandleCodec.begin(
                                        messages.get(i), endpoint, "", server.group())
                                .place(i, i == messages.size() - 1)
                                .build());
            }
            return messages;
        }

        private static List<String> bodies(List<LiteMessage> messages) {
            return messages.stream()
                    .map(message -> new String(message.body(), StandardCharsets.UTF_8))
                    .collect(Collectors.toList());
        }

        @Override
        public void close() {
            client.release();
            server.close();
        }
    }
}
