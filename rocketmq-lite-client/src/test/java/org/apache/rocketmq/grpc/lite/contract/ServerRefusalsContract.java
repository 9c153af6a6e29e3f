/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.TelemetryCommand;
import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Map;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;
import org.apache.rocketmq.grpc.lite.fixtures.RawClient;
import org.apache.rocketmq.grpc.lite.fixtures.RawMessages;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What the server says to wrong names, types and messages, asked with plain stubs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
abstract class ServerRefusalsContract {

    private static final int MAX_BODY = 4 * 1024 * 1024;

    private final String suffix = Long.toString(System.nanoTime(), 36);
    private final String topic = "refusals-" + suffix;
    private final String normalTopic = "normal-" + suffix;
    private final String group = "wildcard-" + suffix;
    private final String namedGroup = "named-" + suffix;
    private final String regularGroup = "regular-" + suffix;
    private LiteServer server;

    abstract LiteServer startServer();

    @BeforeAll
    void start() {
        server = startServer();
        server.createLiteTopic(topic);
        server.createTopic(normalTopic, Map.of("message.type", "NORMAL"));
        server.createLiteGroup(group, topic);
        server.createGroup(namedGroup, Map.of("lite.bind.topic", topic));
        server.createGroup(regularGroup, Map.of());
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void liteSimpleConsumerIsUnknownToServer550() throws Exception {
        try (RawClient client = client(topic, group)) {
            StatusRuntimeException refusal = refusal(client, ClientType.LITE_SIMPLE_CONSUMER);
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
            assertThat(refusal.getMessage())
                    .contains("Client type is not consumer, type: LITE_SIMPLE_CONSUMER");
        }
    }

    @Test
    void settingsOfAGroupThatIsNotLiteAreRefused() throws Exception {
        for (String wrong : new String[] {regularGroup, "unknown-" + suffix}) {
            try (RawClient client = client(topic, wrong)) {
                StatusRuntimeException refusal = refusal(client, ClientType.LITE_PUSH_CONSUMER);
                assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                assertThat(refusal.getMessage()).contains("regular group cannot use LITE mode");
            }
        }
    }

    @Test
    void settingsOfAnotherTopicThanTheBoundOneAreRefused() throws Exception {
        try (RawClient client = client(normalTopic, group)) {
            StatusRuntimeException refusal = refusal(client, ClientType.LITE_PUSH_CONSUMER);
            assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        }
    }

    @Test
    void routeOfAnUnknownTopicIsNotFound() {
        try (RawClient client = client("unknown-" + suffix, group)) {
            assertThat(client.route().getStatus().getCode()).isEqualTo(Code.TOPIC_NOT_FOUND);
        }
    }

    @Test
    void routeTellsTheMessageTypeOfATopic() {
        try (RawClient lite = client(topic, group);
                RawClient normal = client(normalTopic, group)) {
            assertThat(lite.route().getMessageQueues(0).getAcceptMessageTypesList())
                    .containsExactly(apache.rocketmq.v2.MessageType.LITE);
            assertThat(normal.route().getMessageQueues(0).getAcceptMessageTypesList())
                    .containsExactly(apache.rocketmq.v2.MessageType.NORMAL);
        }
    }

    @Test
    void subscriptionOfTheWrongTopicOrGroupIsRefused() {
        assertThat(syncCode(normalTopic, group)).isEqualTo(Code.ILLEGAL_TOPIC);
        assertThat(syncCode(topic, regularGroup)).isEqualTo(Code.ILLEGAL_TOPIC);
        assertThat(syncCode("unknown-" + suffix, group)).isEqualTo(Code.ILLEGAL_TOPIC);
        assertThat(syncCode(topic, "unknown-" + suffix)).isEqualTo(Code.ILLEGAL_TOPIC);
    }

    @Test
    void onlyAWildcardGroupRefusesAProbe() {
        try (RawClient wildcard = client(topic, group);
                RawClient named = client(topic, namedGroup)) {
            apache.rocketmq.v2.Status refusal =
                    wildcard.sync(LiteSubscriptionAction.PARTIAL_ADD, "probe");
            assertThat(refusal.getCode()).isEqualTo(Code.INTERNAL_SERVER_ERROR);
            assertThat(refusal.getMessage())
                    .contains("subscribe lite operation is not supported for this group");
            assertThat(wildcard.sync(LiteSubscriptionAction.PARTIAL_REMOVE, "probe").getCode())
                    .isEqualTo(Code.OK);
            assertThat(named.sync(LiteSubscriptionAction.PARTIAL_ADD, "probe").getCode())
                    .isEqualTo(Code.OK);
            assertThat(named.sync(LiteSubscriptionAction.PARTIAL_REMOVE, "probe").getCode())
                    .isEqualTo(Code.OK);
        }
    }

    @Test
    void sendChecksBodyLiteTopicAndTopicType() {
        assertThat(sendCode(topic, "ok", new byte[] {1})).isEqualTo(Code.OK);
        assertThat(sendCode(topic, "with blank", new byte[] {1}))
                .isEqualTo(Code.ILLEGAL_LITE_TOPIC);
        assertThat(sendCode(topic, "x".repeat(65), new byte[] {1}))
                .isEqualTo(Code.ILLEGAL_LITE_TOPIC);
        assertThat(sendCode(topic, "x".repeat(64), new byte[] {1})).isEqualTo(Code.OK);
        assertThat(sendCode(topic, "empty", new byte[0])).isEqualTo(Code.MESSAGE_BODY_EMPTY);
        // the broker's limit of 4 MiB is one of the whole message
        assertThat(sendCode(topic, "large", new byte[MAX_BODY - 1_000])).isEqualTo(Code.OK);
        assertThat(sendCode(topic, "large", new byte[MAX_BODY]))
                .isEqualTo(Code.INTERNAL_SERVER_ERROR);
        assertThat(sendCode(topic, "larger", new byte[MAX_BODY + 1]))
                .isEqualTo(Code.MESSAGE_BODY_TOO_LARGE);
        assertThat(sendCode(normalTopic, "x", new byte[] {1}))
                .isEqualTo(Code.MESSAGE_PROPERTY_CONFLICT_WITH_TYPE);
        assertThat(sendCode("unknown-" + suffix, "x", new byte[] {1}))
                .isEqualTo(Code.MESSAGE_PROPERTY_CONFLICT_WITH_TYPE);
    }

    @Test
    void severalMessagesInOneRequestGetOneResultOnly() {
        try (RawClient client = client(topic, group)) {
            Message first = RawMessages.of(topic, LiteOutgoingMessage.of("one", new byte[] {1}));
            Message second = RawMessages.of(topic, LiteOutgoingMessage.of("two", new byte[] {2}));
            assertThat(client.send(first, second).getEntriesCount()).isEqualTo(1);
        }
    }

    private Code sendCode(String to, String liteTopic, byte[] body) {
        try (RawClient client = client(to, group)) {
            Message message =
                    RawMessages.of(to, LiteOutgoingMessage.of(liteTopic, new byte[] {1}))
                            .toBuilder()
                            .setBody(ByteString.copyFrom(body))
                            .build();
            return client.send(message).getStatus().getCode();
        }
    }

    private Code syncCode(String ofTopic, String ofGroup) {
        try (RawClient client = client(ofTopic, ofGroup)) {
            return client.sync(LiteSubscriptionAction.COMPLETE_ADD).getCode();
        }
    }

    private static StatusRuntimeException refusal(RawClient client, ClientType type)
            throws InterruptedException {
        Object answer = client.telemetry(type);
        assertThat(answer).isNotInstanceOf(TelemetryCommand.class);
        return (StatusRuntimeException) answer;
    }

    private RawClient client(String ofTopic, String ofGroup) {
        return new RawClient(server.endpoints(), "refusals-" + System.nanoTime(), ofTopic, ofGroup);
    }
}
