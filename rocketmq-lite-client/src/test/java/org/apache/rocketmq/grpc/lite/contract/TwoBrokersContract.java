/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A topic on two brokers, and consumers that come and go. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class TwoBrokersContract {

    /** An event that stays with a client that is gone is stuck for 10 s and more. */
    private static final Duration NOT_STUCK = Duration.ofSeconds(8);

    private final String suffix = Long.toString(System.nanoTime(), 36);
    private LiteServer server;

    abstract LiteServer startServer();

    @BeforeAll
    void start() {
        server = startServer();
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void messagesOfBothBrokersArrive() throws Exception {
        // beside case 31
        String topic = createTopicAndGroup("both");
        try (LiteSimpleConsumer consumer = startedConsumer(topic)) {
            assertThat(consumer.brokers())
                    .hasSize(2)
                    .containsExactlyInAnyOrderElementsOf(server.brokers());
            Set<String> sent = send(topic, "both", 20);
            Map<String, String> brokerByLiteTopic = new TreeMap<>();
            Polls polls = new Polls(consumer);
            while (brokerByLiteTopic.size() < sent.size()) {
                for (LiteMessage message : polls.next()) {
                    brokerByLiteTopic.put(message.liteTopic(), message.broker());
                }
            }
            assertThat(brokerByLiteTopic.keySet()).isEqualTo(sent);
            assertThat(brokerByLiteTopic.values())
                    .containsOnlyElementsOf(server.brokers())
                    .containsAll(server.brokers());
            for (String liteTopic : sent) {
                assertThat(server.committed(topic, topic, liteTopic)).isEqualTo(1);
            }
        }
    }

    @Test
    void consumerThatClosesHoldsNothingBack() throws Exception {
        String topic = createTopicAndGroup("close");
        LiteSimpleConsumer leaving = startedConsumer(topic);
        try (LiteSimpleConsumer staying = startedConsumer(topic)) {
            Polls polls = new Polls(staying);
            // some of these are queued for the leaving client, which never polls
            Set<String> sent = send(topic, "before", 10);
            leaving.close();
            sent.addAll(send(topic, "after", 10));
            long begin = System.nanoTime();
            Set<String> got = new HashSet<>();
            while (got.size() < sent.size()) {
                polls.next().forEach(message -> got.add(message.liteTopic()));
            }
            assertThat(got).isEqualTo(sent);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(NOT_STUCK);
        }
    }

    @Test
    void consumerThatWithdrawsHoldsNothingBackAndIsServedAgainWhenItPolls() throws Exception {
        String topic = createTopicAndGroup("withdraw");
        try (LiteSimpleConsumer withdrawing = startedConsumer(topic)) {
            try (LiteSimpleConsumer staying = startedConsumer(topic)) {
                Polls polls = new Polls(staying);
                // some of these are queued for the other client, which does not poll
                Set<String> sent = send(topic, "before", 10);
                withdrawing.withdraw().get(10, TimeUnit.SECONDS);
                sent.addAll(send(topic, "after", 10));
                long begin = System.nanoTime();
                Set<String> got = new HashSet<>();
                while (got.size() < sent.size()) {
                    polls.next().forEach(message -> got.add(message.liteTopic()));
                }
                assertThat(got).isEqualTo(sent);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(NOT_STUCK);
            }
            Polls polls = new Polls(withdrawing);
            Set<String> sent = send(topic, "again", 10);
            Set<String> got = new HashSet<>();
            while (got.size() < sent.size()) {
                polls.next().forEach(message -> got.add(message.liteTopic()));
            }
            assertThat(got).isEqualTo(sent);
        }
    }

    private String createTopicAndGroup(String name) {
        String topic = name + "-" + suffix;
        server.createLiteTopic(topic);
        server.createLiteGroup(topic, topic);
        return topic;
    }

    private LiteSimpleConsumer startedConsumer(String topic) throws Exception {
        LiteSimpleConsumer consumer =
                LiteSimpleConsumer.create(
                        LiteClientConfig.builder()
                                .endpoints(Endpoints.parse(server.endpoints()))
                                .build(),
                        new LiteSubscription(
                                topic, topic, Duration.ofSeconds(20), Duration.ofSeconds(60)));
        consumer.start().get(10, TimeUnit.SECONDS);
        return consumer;
    }

    private Set<String> send(String topic, String prefix, int count) {
        Set<String> liteTopics =
                IntStream.range(0, count)
                        .mapToObj(i -> prefix + "-" + i)
                        .collect(Collectors.toCollection(HashSet::new));
        for (String liteTopic : liteTopics) {
            server.send(
                    topic,
                    LiteOutgoingMessage.of(liteTopic, liteTopic.getBytes(StandardCharsets.UTF_8)));
        }
        return liteTopics;
    }

    /** One poll at each broker all the time; what arrives is acked. */
    private static final class Polls {
        private final LiteSimpleConsumer consumer;
        private final Map<String, CompletableFuture<List<LiteMessage>>> underWay = new TreeMap<>();

        private Polls(LiteSimpleConsumer consumer) {
            this.consumer = consumer;
            consumer.brokers().forEach(b -> underWay.put(b, consumer.receive(b, 32)));
        }

        /** The answer of whichever poll ends first. */
        private List<LiteMessage> next() throws Exception {
            CompletableFuture.anyOf(underWay.values().toArray(new CompletableFuture<?>[0]))
                    .get(30, TimeUnit.SECONDS);
            for (Map.Entry<String, CompletableFuture<List<LiteMessage>>> poll :
                    underWay.entrySet()) {
                if (poll.getValue().isDone()) {
                    List<LiteMessage> messages = poll.getValue().get();
                    poll.setValue(consumer.receive(poll.getKey(), 32));
                    for (LiteMessage message : messages) {
                        assertThat(
                                        consumer.ack(List.of(Inbox.entry(message)))
                                                .get(10, TimeUnit.SECONDS))
                                .allMatch(AckResult::isOk);
                    }
                    return messages;
                }
            }
            throw new AssertionError("no poll is done");
        }
    }
}
