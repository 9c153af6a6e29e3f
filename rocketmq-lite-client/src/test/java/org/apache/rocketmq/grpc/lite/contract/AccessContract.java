/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.Status;
import apache.rocketmq.v2.TelemetryCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.RawClient;
import org.apache.rocketmq.grpc.lite.fixtures.RawMessages;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What a server with access control asks of each request, with plain stubs. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
abstract class AccessContract {

    private static final String TOPIC = "guarded";
    private static final String GROUP = "GID-guarded";
    private static final String SECRET = "s3cret-of-the-contract";

    private static final List<String> USERS = List.of("none", "pub", "sub", "group", "both");

    /** Whether each RPC is allowed to the users above, in their order. */
    private static final Map<String, List<Boolean>> TABLE = table();

    private GuardedServer server;
    private RawClient owner;

    abstract GuardedServer startServer();

    /** The server, started. */
    final GuardedServer server() {
        return server;
    }

    @BeforeAll
    void start() throws Exception {
        server = startServer();
        server.createLiteTopic(TOPIC);
        server.createLiteGroup(GROUP, TOPIC);
        for (String user : USERS) {
            server.putUser(user, SECRET);
        }
        server.grant("pub", "Topic:" + TOPIC, "Pub");
        server.grant("sub", "Topic:" + TOPIC, "Sub");
        server.grant("group", "Group:" + GROUP, "Sub");
        server.grant("both", "Topic:" + TOPIC, "Sub");
        server.grant("both", "Group:" + GROUP, "Sub");
        server.putUser("owner", SECRET);
        server.grant("owner", "Topic:" + TOPIC, "Pub", "Sub");
        server.grant("owner", "Group:" + GROUP, "Sub");
        owner = client("owner", SECRET);
        assertThat(telemetry(owner)).isEqualTo(Code.OK);
    }

    @AfterAll
    void stop() {
        if (owner != null) {
            owner.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static Map<String, List<Boolean>> table() {
        boolean ok = true;
        boolean no = false;
        Map<String, List<Boolean>> table = new LinkedHashMap<>();
        table.put("QueryRoute", List.of(no, ok, ok, no, ok));
        table.put("Telemetry", List.of(no, no, no, no, ok));
        table.put("Heartbeat", List.of(ok, ok, ok, ok, ok));
        table.put("SyncLiteSubscription", List.of(ok, ok, ok, ok, ok));
        table.put("SendMessage", List.of(no, ok, no, no, no));
        table.put("ReceiveMessage", List.of(no, no, no, no, ok));
        table.put("ChangeInvisibleDuration", List.of(no, no, no, ok, ok));
        table.put("AckMessage", List.of(no, no, no, no, ok));
        table.put("NotifyClientTermination", List.of(no, no, no, ok, ok));
        return table;
    }

    @Test
    void everyRequestNeedsThesePermissions() throws Exception {
        Map<String, List<Boolean>> seen = new LinkedHashMap<>();
        TABLE.keySet().forEach(rpc -> seen.put(rpc, new ArrayList<>()));
        for (String user : USERS) {
            codes(user).forEach((rpc, code) -> seen.get(rpc).add(code != Code.UNAUTHORIZED));
        }
        assertThat(seen).isEqualTo(TABLE);
    }

    private Map<String, Code> codes(String user) throws Exception {
        Map<String, Code> codes = new LinkedHashMap<>();
        try (RawClient client = client(user, SECRET)) {
            codes.put("QueryRoute", client.route().getStatus().getCode());
            codes.put("Telemetry", telemetry(client));
            codes.put("Heartbeat", client.heartbeat().getCode());
            codes.put(
                    "SyncLiteSubscription",
                    client.sync(LiteSubscriptionAction.COMPLETE_ADD).getCode());
            client.sync(LiteSubscriptionAction.COMPLETE_REMOVE);
            codes.put("SendMessage", client.send(message(user)).getStatus().getCode());
            codes.put(
                    "ReceiveMessage",
                    client.receive(server.brokers().get(0), 10).get(0).getStatus().getCode());
            Message message = received("of-" + user);
            codes.put(
                    "ChangeInvisibleDuration",
                    client.change(message, 30_000, false).getStatus().getCode());
            codes.put(
                    "AckMessage",
                    client.ack(List.of(RawClient.entry(message))).getStatus().getCode());
            codes.put("NotifyClientTermination", client.terminate().getCode());
        }
        return codes;
    }

    /** A message that its owner received and did not settle. */
    private Message received(String liteTopic) {
        assertThat(owner.sync(LiteSubscriptionAction.COMPLETE_ADD).getCode()).isEqualTo(Code.OK);
        owner.send(RawMessages.of(TOPIC, LiteOutgoingMessage.of(liteTopic, new byte[] {1})));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            for (Message message : owner.receiveMessages(server.brokers().get(0), 60)) {
                if (message.getSystemProperties().getLiteTopic().equals(liteTopic)) {
                    owner.sync(LiteSubscriptionAction.COMPLETE_REMOVE);
                    return message;
                }
            }
        }
        throw new AssertionError("nothing received from " + liteTopic);
    }

    @Test
    void wrongSecretUnknownUserAndNoSignatureAreToldApart() {
        try (RawClient wrong = client("both", "another");
                RawClient unknown = client("nobody", SECRET);
                RawClient unsigned = new RawClient(server.endpoints(), "unsigned", TOPIC, GROUP)) {
            assertRefused(wrong.route().getStatus(), "check signature failed");
            assertRefused(unknown.route().getStatus(), "User:nobody is not found");
            assertRefused(unsigned.route().getStatus(), "username cannot be null");
            assertRefused(wrong.heartbeat(), "check signature failed");
        }
    }

    @Test
    void aMissingPermissionIsNamed() {
        try (RawClient none = client("none", SECRET);
                RawClient sub = client("sub", SECRET)) {
            assertRefused(
                    none.route().getStatus(),
                    "User:none has no permission to access Topic:" + TOPIC + " from");
            assertRefused(
                    sub.receive(server.brokers().get(0), 10).get(0).getStatus(),
                    "User:sub has no permission to access Group:" + GROUP + " from");
        }
    }

    @Test
    void aChangedSecretIsRefusedFromThenOn() {
        server.putUser("changing", SECRET);
        server.grant("changing", "Topic:" + TOPIC, "Sub");
        try (RawClient before = client("changing", SECRET);
                RawClient after = client("changing", "changed-secret")) {
            assertThat(before.route().getStatus().getCode()).isEqualTo(Code.OK);
            server.putUser("changing", "changed-secret");
            assertRefused(before.route().getStatus(), "check signature failed");
            assertThat(after.route().getStatus().getCode()).isEqualTo(Code.OK);
        }
    }

    @Test
    void theDateIsSignedAndNotComparedWithTheClock() {
        try (RawClient old =
                RawClient.signedAt(
                        "19990101T000000Z", server.endpoints(), TOPIC, GROUP, "both", SECRET)) {
            assertThat(old.route().getStatus().getCode()).isEqualTo(Code.OK);
        }
    }

    private static Code telemetry(RawClient client) throws InterruptedException {
        Object answer = client.telemetry(ClientType.LITE_PUSH_CONSUMER);
        assertThat(answer).isInstanceOf(TelemetryCommand.class);
        return ((TelemetryCommand) answer).getStatus().getCode();
    }

    private static void assertRefused(Status status, String text) {
        assertThat(status.getCode()).isEqualTo(Code.UNAUTHORIZED);
        assertThat(status.getMessage()).contains(text);
    }

    private static Message message(String user) {
        return RawMessages.of(TOPIC, LiteOutgoingMessage.of("sent-by-" + user, new byte[] {1}));
    }

    private RawClient client(String user, String secret) {
        return RawClient.signed(server.endpoints(), TOPIC, GROUP, user, secret);
    }
}
