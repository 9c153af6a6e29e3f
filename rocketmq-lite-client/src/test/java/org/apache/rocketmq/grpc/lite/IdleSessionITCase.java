/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a server does to clients that have nothing to do for a while, and what must not come of it.
 */
class IdleSessionITCase {

    private static final String ID = UUID.randomUUID().toString().substring(0, 8);
    private static final String TOPIC = "idle-" + ID;
    private static final String BUSY_GROUP = "GID-idle-" + ID;
    private static final String LATE_GROUP = "GID-late-" + ID;

    /** Longer than the proxy keeps a client without heartbeats (120 s). */
    private static final Duration IDLE = Duration.ofSeconds(150);

    /** Longer than the broker dispatches to a subscriber that gets nothing (35–45 s). */
    private static final Duration BETWEEN_MESSAGES = Duration.ofSeconds(40);

    private static LiteClientConfig config;

    @BeforeAll
    static void createTopicAndGroups() {
        DevCluster cluster = DevCluster.shared();
        cluster.createLiteTopic(TOPIC);
        cluster.createLiteGroup(BUSY_GROUP, TOPIC);
        cluster.createLiteGroup(LATE_GROUP, TOPIC);
        config = LiteClientConfig.builder().endpoints(Endpoints.parse(cluster.endpoints())).build();
    }

    @Test
    @Timeout(300)
    void idleTopicsDeliverOnTimeAndAnIdleAcknowledgerStillDefers() throws Exception {
        try (LiteProducer producer = LiteProducer.create(config, TOPIC);
                LiteAcknowledger idle = LiteAcknowledger.create(config, LATE_GROUP, TOPIC)) {
            idle.start().get(30, TimeUnit.SECONDS);
            long idleSince = System.nanoTime();
            producer.start().get(30, TimeUnit.SECONDS);
            messagesFarApartArriveAtOnce(producer);
            long rest = IDLE.toNanos() - (System.nanoTime() - idleSince);
            await().pollDelay(Math.max(1, rest), TimeUnit.NANOSECONDS)
                    .atMost(IDLE.plusMinutes(1))
                    .until(() -> true);
            firstDeferralSucceeds(producer, idle);
        }
    }

    private static void messagesFarApartArriveAtOnce(LiteProducer producer) throws Exception {
        LiteSimpleConsumer consumer = consumer(BUSY_GROUP);
        try (PollingLoop loop = new PollingLoop(consumer, consumer::ack)) {
            loop.start();
            for (int i = 0; i < 3; i++) {
                await().pollDelay(BETWEEN_MESSAGES).atMost(Duration.ofMinutes(1)).until(() -> true);
                long sent = System.nanoTime();
                String id =
                        producer.send(LiteOutgoingMessage.of("now-and-then", new byte[] {1}))
                                .get(10, TimeUnit.SECONDS)
                                .messageId();
                await().atMost(Duration.ofSeconds(40))
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> loop.has(id));
                assertThat(Duration.ofNanos(loop.arrivalNanos(id) - sent))
                        .as("message %d after %s without one", i, BETWEEN_MESSAGES)
                        .isLessThan(Duration.ofSeconds(2));
            }
            assertThat(loop.failures()).isEmpty();
        }
    }

    private static void firstDeferralSucceeds(LiteProducer producer, LiteAcknowledger idle)
            throws Exception {
        try (LiteSimpleConsumer consumer = consumer(LATE_GROUP)) {
            consumer.start().get(30, TimeUnit.SECONDS);
            String broker = consumer.brokers().iterator().next();
            producer.send(LiteOutgoingMessage.of("late", new byte[] {1})).get(10, TimeUnit.SECONDS);
            CompletableFuture<LiteMessage> found = new CompletableFuture<>();
            findLate(consumer, broker, found);
            LiteMessage message = found.get(60, TimeUnit.SECONDS);
            String handle =
                    idle.changeInvisibleDuration(
                                    new AckEntry(
                                            TOPIC,
                                            message.liteTopic(),
                                            message.messageId(),
                                            message.receiptHandle()),
                                    Duration.ofSeconds(30),
                                    true)
                            .get(10, TimeUnit.SECONDS);
            assertThat(handle).isNotEqualTo(message.receiptHandle()).isNotBlank();
        }
    }

    /** The group is new to the topic, so what the other group got comes along. */
    private static void findLate(
            LiteSimpleConsumer consumer, String broker, CompletableFuture<LiteMessage> found) {
        consumer.receive(broker, 32)
                .whenComplete(
                        (messages, error) -> {
                            if (error != null) {
                                found.completeExceptionally(error);
                                return;
                            }
                            messages.stream()
                                    .filter(message -> message.liteTopic().equals("late"))
                                    .findFirst()
                                    .ifPresent(found::complete);
                            if (!found.isDone()) {
                                findLate(consumer, broker, found);
                            }
                        });
    }

    private static LiteSimpleConsumer consumer(String group) {
        return LiteSimpleConsumer.create(
                config,
                new LiteSubscription(TOPIC, group, Duration.ofSeconds(20), Duration.ofSeconds(60)));
    }
}
