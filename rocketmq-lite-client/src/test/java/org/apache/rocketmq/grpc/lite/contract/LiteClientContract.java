/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.SendReceipt;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What consumer, acknowledging session and producer promise, on a fake and on a real server.
 *
 * <p>One topic, group and consumer for all tests, a lite topic of its own for each.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
abstract class LiteClientContract {

    private static final Duration INVISIBLE = Duration.ofSeconds(10);

    private final String suffix = Long.toString(System.nanoTime(), 36);
    private final String topic = "client-" + suffix;
    private final String group = "client-group-" + suffix;
    private LiteServer server;
    private LiteSimpleConsumer consumer;
    private LiteAcknowledger acknowledger;
    private LiteProducer producer;
    private Inbox inbox;

    abstract LiteServer startServer();

    @BeforeAll
    void start() throws Exception {
        server = startServer();
        server.createLiteTopic(topic);
        server.createLiteGroup(group, topic);
        LiteClientConfig config =
                LiteClientConfig.builder().endpoints(Endpoints.parse(server.endpoints())).build();
        consumer =
                LiteSimpleConsumer.create(
                        config,
                        new LiteSubscription(topic, group, Duration.ofSeconds(5), INVISIBLE));
        acknowledger = LiteAcknowledger.create(config, group, topic);
        producer = LiteProducer.create(config, topic);
        consumer.start().get(10, TimeUnit.SECONDS);
        acknowledger.start().get(10, TimeUnit.SECONDS);
        producer.start().get(10, TimeUnit.SECONDS);
        inbox = new Inbox(server, consumer, server.brokers().get(0));
    }

    @AfterAll
    void stop() {
        for (AutoCloseable client :
                new AutoCloseable[] {producer, acknowledger, consumer, server}) {
            if (client != null) {
                closeUnchecked(client);
            }
        }
    }

    @Test
    void messageArrivesAsItWasSent() throws Exception {
        byte[] body = new byte[256];
        for (int i = 0; i < body.length; i++) {
            body[i] = (byte) i;
        }
        long before = System.currentTimeMillis();
        SendReceipt receipt =
                send(
                        LiteOutgoingMessage.builder("as-sent", body)
                                .tag("the-tag")
                                .keys(List.of("k1", "k2"))
                                .properties(Map.of("name", "J\u00fcrgen", "empty-ish", "-"))
                                .build());
        LiteMessage message = inbox.next("as-sent", 1).get(0);
        assertThat(message.messageId()).isEqualTo(receipt.messageId());
        assertThat(message.topic()).isEqualTo(topic);
        assertThat(message.broker()).isEqualTo(server.brokers().get(0));
        assertThat(message.body()).isEqualTo(body);
        assertThat(message.isBodyIntact()).isTrue();
        assertThat(message.tag()).isEqualTo("the-tag");
        assertThat(message.keys()).containsExactly("k1", "k2");
        assertThat(message.properties()).isEqualTo(Map.of("name", "J\u00fcrgen", "empty-ish", "-"));
        assertThat(message.offset()).isZero();
        assertThat(message.deliveryAttempt()).isEqualTo(1);
        assertThat(message.bornTimestamp()).isBetween(before - 1, System.currentTimeMillis());
        assertThat(message.leaseEndMillis())
                .isBetween(
                        before + INVISIBLE.toMillis(),
                        System.currentTimeMillis() + INVISIBLE.toMillis());
        inbox.ack(message);
    }

    @Test
    void messagesOfALiteTopicArriveInOrderAsOneDelivery() throws Exception {
        send("ordered", 20);
        List<LiteMessage> messages = inbox.next("ordered", 20);
        assertThat(messages)
                .extracting(message -> new String(message.body(), StandardCharsets.UTF_8))
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> "m" + i).collect(Collectors.toList()));
        assertThat(messages)
                .extracting(LiteMessage::deliveryId)
                .containsOnly(messages.get(0).deliveryId());
        assertOk(consumer.ack(entries(messages)));
        assertThat(server.committed(topic, group, "ordered")).isEqualTo(20);
    }

    @Test
    void oneAnswerHoldsSeveralLiteTopics() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("several-" + i, 1);
        }
        List<LiteMessage> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.addAll(inbox.next("several-" + i, 1));
        }
        Set<Long> deliveries =
                all.stream().map(LiteMessage::deliveryId).collect(Collectors.toSet());
        assertThat(deliveries).hasSizeLessThan(5);
        assertOk(acknowledger.ack(entries(all)));
    }

    @Test
    void everyEntryOfAnAckHasItsOwnResult() throws Exception {
        send("results", 2);
        List<LiteMessage> messages = inbox.next("results", 2);
        AckEntry good = Inbox.entry(messages.get(0));
        AckEntry expired = Inbox.entry(messages.get(0), expired(messages.get(0)));
        AckEntry alsoGood = Inbox.entry(messages.get(1));
        List<AckResult> results =
                consumer.ack(List.of(good, expired, alsoGood)).get(5, TimeUnit.SECONDS);
        assertThat(results).extracting(AckResult::entry).containsExactly(good, expired, alsoGood);
        assertThat(results).extracting(AckResult::isOk).containsExactly(true, false, true);
        RpcException failure = results.get(1).failure().get();
        assertThat(failure.kind()).isEqualTo(ErrorKind.STALE_HANDLE);
        assertThat(failure.code()).isEqualTo("INVALID_RECEIPT_HANDLE");
        assertThat(server.committed(topic, group, "results")).isEqualTo(2);
    }

    @Test
    void unackedMessageComesBackTogetherWithWhatWasAckedBehindIt() throws Exception {
        send("gap", 3);
        List<LiteMessage> first = inbox.next("gap", 3);
        inbox.ack(first.get(0));
        inbox.ack(first.get(2));
        server.elapse(INVISIBLE);
        List<LiteMessage> again = inbox.next("gap", 2);
        assertThat(again).extracting(LiteMessage::offset).containsExactly(1L, 2L);
        assertThat(again.get(0).deliveryId()).isGreaterThan(first.get(0).deliveryId());
        assertThat(again.get(0).messageId()).isEqualTo(first.get(1).messageId());
        assertOk(consumer.ack(entries(again)));
    }

    @Test
    void liteTopicIsSilentUntilItsDeliveryIsSettledAndOthersFlow() throws Exception {
        send("blocked", 2);
        List<LiteMessage> open = inbox.next("blocked", 2);
        send("blocked", 1);
        send("free", 1);
        inbox.ack(inbox.next("free", 1).get(0));
        inbox.ack(open.get(1));
        assertThat(inbox.pollWithout("blocked")).isTrue();
        inbox.ack(open.get(0));
        LiteMessage next = inbox.next("blocked", 1).get(0);
        assertThat(next.offset()).isEqualTo(2);
        inbox.ack(next);
    }

    @Test
    void suspendToZeroBringsTheWholeDeliveryBackAndTheOldHandleDoesNothing() throws Exception {
        send("suspend", 3);
        List<LiteMessage> old = inbox.next("suspend", 3);
        String handle = change(consumer, old.get(1), Duration.ZERO, true);
        assertThat(handle).isNotEmpty().isNotEqualTo(old.get(1).receiptHandle());
        List<LiteMessage> current = inbox.next("suspend", 3);
        inbox.ack(old.get(0));
        assertThat(server.committed(topic, group, "suspend")).isZero();
        assertOk(consumer.ack(entries(current)));
        assertThat(server.committed(topic, group, "suspend")).isEqualTo(3);
    }

    @Test
    void plainDeferralOfOneMessageHoldsNothingElseThanItself() throws Exception {
        send("plain", 2);
        List<LiteMessage> messages = inbox.next("plain", 2);
        change(acknowledger, messages.get(0), Duration.ofMillis(100), false);
        assertThat(server.committed(topic, group, "plain")).isZero();
        inbox.ack(messages.get(1));
        server.elapse(Duration.ofMillis(200));
        List<LiteMessage> again = inbox.next("plain", 2);
        assertOk(consumer.ack(entries(again)));
    }

    @Test
    void extendedMessageIsAckedWithItsNewHandleAfterTheOldOneExpired() throws Exception {
        send("extend", 1);
        LiteMessage message = inbox.next("extend", 1).get(0);
        String handle = change(acknowledger, message, Duration.ofSeconds(60), false);
        server.elapse(INVISIBLE.plusMillis(200));
        assertThat(result(Inbox.entry(message)).failure().get().kind())
                .isEqualTo(ErrorKind.STALE_HANDLE);
        assertThatThrownBy(() -> change(acknowledger, message, Duration.ZERO, true))
                .isInstanceOf(ExecutionException.class)
                .satisfies(
                        e ->
                                assertThat(((RpcException) e.getCause()).kind())
                                        .isEqualTo(ErrorKind.STALE_HANDLE));
        assertThat(result(Inbox.entry(message, handle)).isOk()).isTrue();
        assertThat(server.committed(topic, group, "extend")).isEqualTo(1);
    }

    @Test
    void acknowledgerSettlesWhatTheConsumerReceived() throws Exception {
        send("foreign", 3);
        List<LiteMessage> messages = inbox.next("foreign", 3);
        assertOk(acknowledger.ack(entries(messages)));
        assertThat(server.committed(topic, group, "foreign")).isEqualTo(3);
        assertThat(acknowledger.ack(entries(messages)).get(5, TimeUnit.SECONDS))
                .allMatch(AckResult::isOk);
    }

    @Test
    void acknowledgerBesideAConsumerDelaysNothing() throws Exception {
        long worst = 0;
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            send("beside-" + i, 1);
            assertOk(acknowledger.ack(entries(inbox.next("beside-" + i, 1))));
            worst = Math.max(worst, System.nanoTime() - begin);
        }
        assertThat(Duration.ofNanos(worst)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void producerRefusesWhatTheServerWould() {
        for (String wrong : new String[] {"", "with blank", "\u00fcml\u00e4ut", "x".repeat(65)}) {
            assertRefused(LiteOutgoingMessage.of(wrong, new byte[] {1}), "liteTopic");
        }
        assertRefused(LiteOutgoingMessage.of("empty", new byte[0]), "body");
        assertRefused(LiteOutgoingMessage.of("large", new byte[4 * 1024 * 1024 + 1]), "body");
    }

    @Test
    void largestLiteTopicNameAndABigBodyPass() throws Exception {
        String name = "x".repeat(64);
        byte[] body = new byte[3 * 1024 * 1024];
        body[body.length - 1] = 7;
        send(LiteOutgoingMessage.of(name, body));
        LiteMessage message = inbox.next(name, 1).get(0);
        assertThat(message.body()).isEqualTo(body);
        assertThat(message.isBodyIntact()).isTrue();
        inbox.ack(message);
    }

    private void assertRefused(LiteOutgoingMessage message, String field) {
        assertThatThrownBy(() -> producer.send(message).get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(field);
    }

    private AckResult result(AckEntry entry) throws Exception {
        return acknowledger.ack(List.of(entry)).get(5, TimeUnit.SECONDS).get(0);
    }

    private static String change(
            LiteSimpleConsumer by, LiteMessage message, Duration to, boolean suspend)
            throws Exception {
        return by.changeInvisibleDuration(Inbox.entry(message), to, suspend)
                .get(5, TimeUnit.SECONDS);
    }

    private static String change(
            LiteAcknowledger by, LiteMessage message, Duration to, boolean suspend)
            throws Exception {
        return by.changeInvisibleDuration(Inbox.entry(message), to, suspend)
                .get(5, TimeUnit.SECONDS);
    }

    private void send(String liteTopic, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            send(LiteOutgoingMessage.of(liteTopic, ("m" + i).getBytes(StandardCharsets.UTF_8)));
        }
    }

    private SendReceipt send(LiteOutgoingMessage message) throws Exception {
        return producer.send(message).get(5, TimeUnit.SECONDS);
    }

    private static void assertOk(CompletableFuture<List<AckResult>> acks) throws Exception {
        assertThat(acks.get(5, TimeUnit.SECONDS)).isNotEmpty().allMatch(AckResult::isOk);
    }

    private static List<AckEntry> entries(List<LiteMessage> messages) {
        return messages.stream().map(Inbox::entry).collect(Collectors.toList());
    }

    /** The same handle with an invisible time of 1 ms, as if received long ago. */
    private static String expired(LiteMessage message) {
        String[] fields = message.receiptHandle().split(" ");
        fields[1] = Long.toString(Long.parseLong(fields[1]) - 3_600_000);
        return String.join(" ", fields);
    }

    private static void closeUnchecked(AutoCloseable client) {
        try {
            client.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
