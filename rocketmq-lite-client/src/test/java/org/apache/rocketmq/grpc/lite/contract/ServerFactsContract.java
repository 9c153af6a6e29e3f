/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.AckMessageEntry;
import apache.rocketmq.v2.AckMessageResponse;
import apache.rocketmq.v2.ChangeInvisibleDurationResponse;
import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Digest;
import apache.rocketmq.v2.DigestType;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.Permission;
import apache.rocketmq.v2.TelemetryCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;
import org.apache.rocketmq.grpc.lite.fixtures.RawClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What we rely on of the server's delivery and settling, asked with plain stubs: the fake and the
 * real server must give the same answers.
 *
 * <p>One topic, group and subscribed client for all tests, a lite topic of its own for each.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
abstract class ServerFactsContract {

    private static final int INVISIBLE = 10;

    private final String suffix = Long.toString(System.nanoTime(), 36);
    private final String topic = "facts-" + suffix;
    private final String group = "facts-group-" + suffix;
    private final Map<String, List<Message>> arrived = new HashMap<>();
    private LiteServer server;
    private String broker;
    private RawClient client;

    abstract LiteServer startServer();

    @BeforeAll
    void start() throws Exception {
        server = startServer();
        broker = server.brokers().get(0);
        server.createLiteTopic(topic);
        server.createLiteGroup(group, topic);
        client = new RawClient(server.endpoints(), "facts-client-" + suffix, topic, group);
        assertThat(client.telemetry(ClientType.LITE_PUSH_CONSUMER))
                .isInstanceOf(TelemetryCommand.class);
        assertThat(client.sync(LiteSubscriptionAction.COMPLETE_ADD).getCode()).isEqualTo(Code.OK);
    }

    @AfterAll
    void stop() {
        if (client != null) {
            client.terminate();
            client.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void settingsAnswerCarriesTheLimits() throws Exception {
        try (RawClient other = client("settings")) {
            TelemetryCommand answer =
                    (TelemetryCommand) other.telemetry(ClientType.LITE_PUSH_CONSUMER);
            assertThat(answer.getStatus().getCode()).isEqualTo(Code.OK);
            assertThat(answer.getSettings().getSubscription().getReceiveBatchSize()).isEqualTo(32);
            assertThat(answer.getSettings().getSubscription().getMaxLiteTopicSize()).isEqualTo(64);
            assertThat(other.terminate().getCode()).isEqualTo(Code.OK);
        }
    }

    @Test
    void routeNamesReadableBrokersOfTheTopic() {
        assertThat(client.route().getMessageQueuesList())
                .isNotEmpty()
                .allMatch(queue -> queue.getBroker().getName().equals(broker))
                .allMatch(queue -> queue.getPermission() == Permission.READ_WRITE);
    }

    @Test
    void deliveredMessageCarriesWhatIsNeededToSettleIt() throws Exception {
        server.send(
                topic,
                LiteOutgoingMessage.builder("carries", bytes("body"))
                        .tag("tag")
                        .keys(List.of("k1", "k2"))
                        .properties(Map.of("p", "v"))
                        .build());
        Message message = receive("carries", 1).get(0);
        assertThat(message.getTopic().getName()).isEqualTo(topic);
        assertThat(message.getSystemProperties().getLiteTopic()).isEqualTo("carries");
        assertThat(message.getSystemProperties().getTag()).isEqualTo("tag");
        assertThat(message.getSystemProperties().getKeysList()).containsExactly("k1", "k2");
        assertThat(message.getUserPropertiesMap())
                .containsEntry("p", "v")
                .containsEntry("INNER_MULTI_DISPATCH", "%LMQ%$" + topic + "$carries")
                .hasSize(2);
        assertThat(message.getSystemProperties().getQueueOffset()).isZero();
        assertThat(message.getSystemProperties().getDeliveryAttempt()).isEqualTo(1);
        assertThat(message.getSystemProperties().getReceiptHandle().split(" ")).hasSize(9);
        assertThat(message.getSystemProperties().getBodyDigest())
                .isEqualTo(
                        Digest.newBuilder()
                                .setType(DigestType.MD5)
                                .setChecksum("841A2D689AD86BD1611447453C22C6FC")
                                .build());
        ack(message);
    }

    @Test
    void acksOfManyEntriesAndLiteTopicsAreAnsweredOneByOne() throws Exception {
        send("many-a", 2);
        send("many-b", 1);
        List<Message> messages = new ArrayList<>(receive("many-a", 2));
        messages.addAll(receive("many-b", 1));
        List<AckMessageEntry> entries =
                messages.stream().map(RawClient::entry).collect(Collectors.toList());
        AckMessageResponse answer = client.ack(entries);
        assertThat(answer.getStatus().getCode()).isEqualTo(Code.OK);
        assertThat(answer.getEntriesList())
                .hasSize(3)
                .allMatch(entry -> entry.getStatus().getCode() == Code.OK);
        assertThat(server.committed(topic, group, "many-a")).isEqualTo(2);
    }

    @Test
    void ackWithoutLiteTopicSettlesNothing() throws Exception {
        send("no-lite", 1);
        Message message = receive("no-lite", 1).get(0);
        client.ack(List.of(RawClient.entry(message).toBuilder().clearLiteTopic().build()));
        assertThat(server.committed(topic, group, "no-lite")).isZero();
        ack(message);
        assertThat(server.committed(topic, group, "no-lite")).isEqualTo(1);
    }

    @Test
    void malformedHandleFailsItsEntryOnly() throws Exception {
        send("malformed", 1);
        AckMessageEntry good = RawClient.entry(receive("malformed", 1).get(0));
        AckMessageResponse answer =
                client.ack(List.of(good, good.toBuilder().setReceiptHandle("nonsense").build()));
        assertThat(answer.getStatus().getCode()).isEqualTo(Code.MULTIPLE_RESULTS);
        assertThat(answer.getEntriesList())
                .extracting(entry -> entry.getStatus().getCode())
                .containsExactly(Code.OK, Code.INTERNAL_SERVER_ERROR);
    }

    @Test
    void nothingMoreOfALiteTopicComesWhileOneMessageIsOpen() throws Exception {
        send("block", 2);
        List<Message> first = receive("block", 2);
        send("block", 1);
        send("flows", 1);
        ack(receive("flows", 1).get(0));
        ack(first.get(1));
        assertThat(receiveNothing("block")).isTrue();
        ack(first.get(0));
        ack(receive("block", 1).get(0));
        assertThat(server.committed(topic, group, "block")).isEqualTo(3);
    }

    @Test
    void suspendToZeroBringsTheWholeDeliveryBackAndOldHandlesDoNothing() throws Exception {
        send("again", 3);
        List<Message> old = receive("again", 3);
        ack(old.get(1));
        assertThat(client.change(old.get(0), 0, true).getStatus().getCode()).isEqualTo(Code.OK);
        List<Message> current = receive("again", 3);
        assertThat(offsets(current)).containsExactly(0L, 1L, 2L);
        assertThat(current)
                .allMatch(message -> message.getSystemProperties().getDeliveryAttempt() == 2);
        ack(old.get(0));
        assertThat(server.committed(topic, group, "again")).isZero();
        current.forEach(this::ack);
        assertThat(server.committed(topic, group, "again")).isEqualTo(3);
    }

    @Test
    void changedHandleAndTheOldOneBothStayGoodUntilTheyExpire() throws Exception {
        send("renew", 2);
        List<Message> messages = receive("renew", 2);
        ChangeInvisibleDurationResponse changed = client.change(messages.get(0), 60_000, false);
        assertThat(changed.getStatus().getCode()).isEqualTo(Code.OK);
        assertThat(changed.getReceiptHandle())
                .isNotEmpty()
                .isNotEqualTo(messages.get(0).getSystemProperties().getReceiptHandle());
        ack(messages.get(1));
        server.elapse(Duration.ofSeconds(INVISIBLE).plusMillis(200));
        assertThat(ackCode(RawClient.entry(messages.get(0))))
                .isEqualTo(Code.INVALID_RECEIPT_HANDLE);
        assertThat(client.change(messages.get(0), 0, true).getStatus().getCode())
                .isEqualTo(Code.INVALID_RECEIPT_HANDLE);
        assertThat(
                        ackCode(
                                RawClient.entry(messages.get(0)).toBuilder()
                                        .setReceiptHandle(changed.getReceiptHandle())
                                        .build()))
                .isEqualTo(Code.OK);
        assertThat(server.committed(topic, group, "renew")).isEqualTo(2);
    }

    @Test
    void unackedMessageComesBackWithWhatWasAckedBehindIt() throws Exception {
        send("back", 3);
        List<Message> messages = receive("back", 3);
        ack(messages.get(0));
        ack(messages.get(2));
        server.elapse(Duration.ofSeconds(INVISIBLE));
        List<Message> again = receive("back", 2);
        assertThat(offsets(again)).containsExactly(1L, 2L);
        again.forEach(this::ack);
    }

    @Test
    void changeOfACommittedMessageIsOkAndItsHandleIsWorthless() throws Exception {
        send("committed", 1);
        Message message = receive("committed", 1).get(0);
        ack(message);
        ChangeInvisibleDurationResponse changed = client.change(message, 1_000, true);
        assertThat(changed.getStatus().getCode()).isEqualTo(Code.OK);
        assertThat(changed.getReceiptHandle()).startsWith("0 0 0 0 0 ");
        ack(message);
    }

    @Test
    void changeOutsideZeroToTwelveHoursIsRefused() throws Exception {
        send("limits", 1);
        Message message = receive("limits", 1).get(0);
        long twelveHours = Duration.ofHours(12).toMillis();
        assertThat(client.change(message, twelveHours + 1, false).getStatus().getCode())
                .isEqualTo(Code.ILLEGAL_INVISIBLE_TIME);
        ack(message);
    }

    @Test
    void strangerMayAckButNotDefer() throws Exception {
        send("stranger", 1);
        Message message = receive("stranger", 1).get(0);
        try (RawClient stranger = client("stranger")) {
            assertThat(stranger.change(message, 1_000, false).getStatus().getCode())
                    .isEqualTo(Code.INTERNAL_SERVER_ERROR);
            assertThat(stranger.ack(List.of(RawClient.entry(message))).getStatus().getCode())
                    .isEqualTo(Code.OK);
        }
        assertThat(server.committed(topic, group, "stranger")).isEqualTo(1);
    }

    @Test
    void receiveNeedsSettingsAndLegalDurations() throws Exception {
        try (RawClient other = client("receive")) {
            assertThat(other.receive(broker, INVISIBLE).get(0).getStatus().getCode())
                    .isEqualTo(Code.INTERNAL_SERVER_ERROR);
        }
        assertThat(client.receive(broker, 9).get(0).getStatus().getCode())
                .isEqualTo(Code.ILLEGAL_INVISIBLE_TIME);
        assertThat(client.receive(broker, 43_201).get(0).getStatus().getCode())
                .isEqualTo(Code.ILLEGAL_INVISIBLE_TIME);
    }

    @Test
    void heartbeatAndGoodbyeKnowOnlyClientsWithSettings() throws Exception {
        try (RawClient other = client("heartbeat")) {
            assertThat(other.heartbeat().getCode()).isEqualTo(Code.UNRECOGNIZED_CLIENT_TYPE);
            assertThat(other.terminate().getCode()).isEqualTo(Code.UNRECOGNIZED_CLIENT_TYPE);
            other.telemetry(ClientType.LITE_PUSH_CONSUMER);
            assertThat(other.heartbeat().getCode()).isEqualTo(Code.OK);
            assertThat(other.terminate().getCode()).isEqualTo(Code.OK);
            assertThat(other.heartbeat().getCode()).isEqualTo(Code.UNRECOGNIZED_CLIENT_TYPE);
        }
    }

    @Test
    void brokenTelemetryUnsubscribesWithoutAWord() throws Exception {
        String lonely = "lonely-" + suffix;
        server.createLiteTopic(lonely);
        server.createLiteGroup(lonely, lonely);
        try (RawClient other =
                new RawClient(server.endpoints(), "lonely-" + suffix, lonely, lonely)) {
            other.telemetry(ClientType.LITE_PUSH_CONSUMER);
            other.sync(LiteSubscriptionAction.COMPLETE_ADD);
            other.breakTelemetry();
            other.nextTelemetry();
            server.elapse(Duration.ofSeconds(1));
            server.send(lonely, LiteOutgoingMessage.of("x", bytes("unheard")));
            assertThat(server.finish(other.receiveAsync(broker, INVISIBLE))).isEmpty();

            other.telemetry(ClientType.LITE_PUSH_CONSUMER);
            assertThat(other.sync(LiteSubscriptionAction.COMPLETE_ADD).getCode())
                    .isEqualTo(Code.OK);
            long giveUp = System.nanoTime() + server.joinDelay().plusSeconds(10).toNanos();
            List<Message> messages = List.of();
            while (messages.isEmpty() && System.nanoTime() < giveUp) {
                messages = server.finish(other.receiveAsync(broker, INVISIBLE));
            }
            assertThat(messages).hasSize(1);
            assertThat(server.max(lonely, "x", lonely)).isEqualTo(1);
            other.terminate();
        }
    }

    private void send(String liteTopic, int count) {
        for (int i = 0; i < count; i++) {
            server.send(topic, LiteOutgoingMessage.of(liteTopic, bytes("m" + i)));
        }
    }

    /** The next delivery of a lite topic, which must have so many messages. */
    private List<Message> receive(String liteTopic, int count) throws Exception {
        for (int polls = 0; !arrived.containsKey(liteTopic) && polls < 10; polls++) {
            poll();
        }
        List<Message> delivery = arrived.remove(liteTopic);
        assertThat(delivery).as(liteTopic).hasSize(count);
        return delivery;
    }

    private boolean receiveNothing(String liteTopic) throws Exception {
        poll();
        return !arrived.containsKey(liteTopic);
    }

    private void poll() throws Exception {
        for (Message message : server.finish(client.receiveAsync(broker, INVISIBLE))) {
            arrived.computeIfAbsent(
                            message.getSystemProperties().getLiteTopic(), l -> new ArrayList<>())
                    .add(message);
        }
    }

    private void ack(Message message) {
        assertThat(ackCode(RawClient.entry(message))).isEqualTo(Code.OK);
    }

    private Code ackCode(AckMessageEntry entry) {
        return client.ack(List.of(entry)).getEntries(0).getStatus().getCode();
    }

    private RawClient client(String name) {
        return new RawClient(server.endpoints(), name + "-" + suffix, topic, group);
    }

    private static List<Long> offsets(List<Message> messages) {
        return Arrays.asList(
                messages.stream()
                        .map(m -> m.getSystemProperties().getQueueOffset())
                        .toArray(Long[]::new));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
