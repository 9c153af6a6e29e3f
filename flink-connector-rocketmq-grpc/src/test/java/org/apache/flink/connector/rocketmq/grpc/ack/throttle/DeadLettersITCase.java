/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.devcluster.LiteOffsets;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What server 5.5.0 does with a lite message past the attempts of its group, by the store it has.
 */
class DeadLettersITCase {

    private static final String LITE_TOPIC = "poisoned";

    @Test
    @Timeout(240)
    void theFileStoreDeliversADeadLetterAgainWhateverIsAckedAndLosesALaterMessage()
            throws Exception {
        try (DevCluster cluster = DevCluster.builder().storeType("default").start();
                Reader reader = new Reader(cluster)) {
            reader.send("poison");
            LiteMessage last = reader.refuseUntilDeadLettered();

            LiteMessage copy = reader.next();
            assertThat(copy.messageId()).isEqualTo(last.messageId());
            assertThat(copy.offset()).isEqualTo(last.offset());
            assertThat(copy.deliveryAttempt()).isOne();
            assertThat(storedAt(copy)).isNotEqualTo(storedAt(last));
            assertThat(reader.ack(copy)).isTrue();

            LiteMessage again = reader.next();
            assertThat(again.messageId()).isEqualTo(copy.messageId());
            assertThat(again.deliveryAttempt()).isEqualTo(2);
            assertThat(reader.offsets().backlog()).isOne();
            for (int i = 1; i <= 3; i++) {
                reader.send("next " + i);
            }
            await("the copy took a place, so one of the three has none")
                    .atMost(Duration.ofSeconds(30))
                    .during(Duration.ofSeconds(2))
                    .until(() -> reader.offsets().max() == 1 + 3);
        }
    }

    @Test
    @Timeout(180)
    void theRocksDbStoreLetsTheLiteTopicFlowOnBehindADeadLetter() throws Exception {
        try (Reader reader = new Reader(DevCluster.shared())) {
            reader.send("poison");
            reader.refuseUntilDeadLettered();
            reader.send("next");

            LiteMessage next = reader.next();
            assertThat(text(next)).isEqualTo("next");
            assertThat(reader.ack(next)).isTrue();
            await().atMost(Duration.ofSeconds(10)).until(() -> reader.offsets().backlog() == 0);
            assertThat(reader.offsets().max()).isEqualTo(2);
        }
    }

    private static String text(LiteMessage message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }

    /** Where the broker keeps the message: the last field of its handle. */
    private static String storedAt(LiteMessage message) {
        String handle = message.receiptHandle();
        return handle.substring(handle.lastIndexOf(' ') + 1);
    }

    /** A topic, a group with three attempts, a producer and a consumer. */
    private static final class Reader implements AutoCloseable {
        private static final int ATTEMPTS = 3;

        private final DevCluster cluster;
        private final String topic = "dead-" + UUID.randomUUID().toString().substring(0, 8);
        private final String group = "GID-" + topic;
        private final LiteProducer producer;
        private final LiteSimpleConsumer consumer;

        Reader(DevCluster cluster) throws Exception {
            this.cluster = cluster;
            cluster.createLiteTopic(topic);
            Map<String, String> attributes = new TreeMap<>();
            attributes.put("lite.bind.topic", topic);
            attributes.put("lite.sub.wildcard", "true");
            attributes.put("retryMaxTimes", Integer.toString(ATTEMPTS - 1));
            cluster.createGroup(group, attributes);
            LiteClientConfig config =
                    LiteClientConfig.builder()
                            .endpoints(Endpoints.parse(cluster.endpoints()))
                            .requestTimeout(Duration.ofSeconds(20))
                            .build();
            producer = LiteProducer.create(config, topic);
            producer.start().get(30, TimeUnit.SECONDS);
            consumer =
                    LiteSimpleConsumer.create(
                            config,
                            new LiteSubscription(
                                    topic, group, Duration.ofSeconds(5), Duration.ofSeconds(10)));
            consumer.start().get(30, TimeUnit.SECONDS);
        }

        void send(String body) throws Exception {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            producer.send(LiteOutgoingMessage.of(LITE_TOPIC, bytes)).get(30, TimeUnit.SECONDS);
        }

        /** The next message that comes. */
        LiteMessage next() throws Exception {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (System.nanoTime() < end) {
                List<LiteMessage> messages = poll();
                if (!messages.isEmpty()) {
                    return messages.get(0);
                }
            }
            throw new AssertionError("nothing came");
        }

        private List<LiteMessage> poll() throws Exception {
            String broker = consumer.brokers().iterator().next();
            return consumer.receive(broker, 32).get(60, TimeUnit.SECONDS);
        }

        /** Makes the message visible again until the proxy delivers it no more. */
        LiteMessage refuseUntilDeadLettered() throws Exception {
            LiteMessage message = null;
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                message = next();
                assertThat(message.deliveryAttempt()).isEqualTo(attempt);
                consumer.changeInvisibleDuration(entry(message), Duration.ZERO, false)
                        .get(30, TimeUnit.SECONDS);
            }
            assertThat(poll()).as("the proxy forwards it to the dead letters").isEmpty();
            return message;
        }

        boolean ack(LiteMessage message) throws Exception {
            return consumer.ack(List.of(entry(message))).get(30, TimeUnit.SECONDS).get(0).isOk();
        }

        private static AckEntry entry(LiteMessage message) {
            return new AckEntry(
                    message.topic(),
                    message.liteTopic(),
                    message.messageId(),
                    message.receiptHandle());
        }

        LiteOffsets offsets() {
            return cluster.liteOffsets(topic, group, LITE_TOPIC);
        }

        @Override
        public void close() {
            consumer.close();
            producer.close();
        }
    }
}
