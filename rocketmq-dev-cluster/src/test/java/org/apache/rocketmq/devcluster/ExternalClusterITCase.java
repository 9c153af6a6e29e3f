/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.rocketmq.devcluster.server.LiteClient;
import org.apache.rocketmq.devcluster.wire.DirectoryTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shared cluster, and the same cluster as somebody sees it who did not start it. */
@Timeout(120)
class ExternalClusterITCase {

    private static final String OWN_ADMIN = DirectoryTree.ownPrefix("rocketmq-dev-admin");

    private final DevCluster shared = DevCluster.shared();
    private final String topic = "External-" + UUID.randomUUID().toString().substring(0, 8);
    private final String group = "GID-" + topic;

    /** With {@code -Drocketmq.endpoints} the shared cluster has a child of its own from here on. */
    @BeforeEach
    void theSharedClusterAnswers() {
        assertThat(shared.brokerNames()).isNotEmpty();
    }

    @Test
    void thereIsOneSharedClusterAndNobodyClosesIt() {
        shared.close();

        assertThat(DevCluster.shared()).isSameAs(shared);
        shared.createLiteTopic(topic);
        shared.deleteTopic(topic);
    }

    @Test
    void topicsAndGroupsCanBeAdministratedFromOutside() throws Exception {
        Set<Long> children = Processes.children();
        try (DevCluster external = DevCluster.external(shared.endpoints(), shared.namesrvAddr())) {
            assertThat(external.endpoints()).isEqualTo(shared.endpoints());
            assertThat(external.brokerNames()).isEqualTo(shared.brokerNames());
            external.createLiteTopic(topic);
            external.createLiteGroup(group, topic);
            try (LiteClient client = new LiteClient(external.endpoints(), topic, group)) {
                client.join();
                client.send("t", "x");
                assertThat(client.receive()).hasSize(1);
                client.leave();
            }
            external.updateGroupAttributes(group, Map.of("retryMaxTimes", "3"), Set.of());
            external.deleteGroup(group);
            external.deleteTopic(topic);
            assertThatThrownBy(external::kill)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage(
                            "kill is not available on the external cluster " + shared.endpoints());
        }
        assertThat(Processes.children()).isEqualTo(children);
    }

    @Test
    void offsetsAndSubscriptionAreToldFromOutsideAsTheyAreFromInside() throws Exception {
        List<String> liteTopics = List.of("acked", "delivered", "none");
        Set<Long> children = Processes.children();
        try (DevCluster external = DevCluster.external(shared.endpoints(), shared.namesrvAddr());
                LiteClient client = new LiteClient(shared.endpoints(), topic, group)) {
            shared.createLiteTopic(topic);
            shared.createLiteGroup(group, topic);
            assertThat(external.hasSubscriber(topic, group)).isFalse();
            client.sendToEach(List.of("acked", "acked", "delivered"));
            await().untilAsserted(
                            () ->
                                    assertThat(external.liteOffsets(topic, group, liteTopics))
                                            .isEqualTo(
                                                    Map.of(
                                                            "acked", new LiteOffsets(0, 2),
                                                            "delivered", new LiteOffsets(0, 1),
                                                            "none", new LiteOffsets(0, 0))));
            client.join();
            assertThat(external.hasSubscriber(topic, group)).isTrue();
            assertThat(external.hasSubscriber(topic, group + "-other")).isFalse();
            for (int received = 0; received < 3; ) {
                for (Message message : client.receive()) {
                    received++;
                    if (message.getSystemProperties().getLiteTopic().equals("acked")) {
                        client.ack(message);
                    }
                }
            }

            Map<String, LiteOffsets> seen = external.liteOffsets(topic, group, liteTopics);

            assertThat(seen)
                    .isEqualTo(
                            Map.of(
                                    "acked", new LiteOffsets(2, 2),
                                    "delivered", new LiteOffsets(0, 1),
                                    "none", new LiteOffsets(0, 0)))
                    .isEqualTo(shared.liteOffsets(topic, group, liteTopics));
            assertThat(external.liteOffsets(topic, group, "acked")).isEqualTo(seen.get("acked"));
            client.leave();
            await().untilAsserted(() -> assertThat(external.hasSubscriber(topic, group)).isFalse());
        }
        assertThat(Processes.children()).isEqualTo(children);
    }

    @Test
    void theOffsetsOfTwoThousandLiteTopicsComeFromOutsideInOneCall() throws Exception {
        List<String> liteTopics =
                IntStream.range(0, 2_000).mapToObj(i -> "t" + i).collect(Collectors.toList());
        try (DevCluster external = DevCluster.external(shared.endpoints(), shared.namesrvAddr());
                LiteClient client = new LiteClient(shared.endpoints(), topic, group)) {
            external.createLiteTopic(topic);
            external.createLiteGroup(group, topic);
            client.sendToEach(liteTopics);

            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () ->
                                    assertThat(external.liteOffsets(topic, group, liteTopics))
                                            .hasSize(liteTopics.size())
                                            .allSatisfy(
                                                    (liteTopic, offsets) ->
                                                            assertThat(offsets.backlog()).isOne()));
        }
    }

    @Test
    void whatTheAdminProtocolCannotTellOrDoIsRefusedByName() {
        try (DevCluster external = DevCluster.external(shared.endpoints(), shared.namesrvAddr())) {
            assertThat(external.isExternal()).isTrue();
            String where = " is not available on the external cluster " + shared.endpoints();
            assertThatThrownBy(() -> external.liteOffsets(topic, group))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("all-lite-offsets" + where);
            assertThatThrownBy(() -> external.consumerClientIds(topic, group))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("client-ids" + where);
            assertThatThrownBy(() -> external.stopBroker(0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("stop-broker" + where);
        }
    }

    @Test
    void offsetsOfAnUnknownTopicOrOfAGroupOfAnotherTopicAreClearErrors() throws Exception {
        try (DevCluster external = DevCluster.external(shared.endpoints(), shared.namesrvAddr());
                LiteClient client = new LiteClient(shared.endpoints(), topic, group)) {
            assertThatThrownBy(() -> external.liteOffsets("NoSuchTopic", group, "t"))
                    .isInstanceOf(DevClusterException.class)
                    .hasMessageStartingWith("lite-offsets: ")
                    .hasMessageContaining("NoSuchTopic");
            external.createLiteTopic(topic);
            external.createLiteGroup(group, "AnotherTopic");
            client.send("t", "x");
            await().untilAsserted(
                            () ->
                                    assertThatThrownBy(
                                                    () -> external.liteOffsets(topic, group, "t"))
                                            .isInstanceOf(DevClusterException.class)
                                            .hasMessageContaining(
                                                    "group "
                                                            + group
                                                            + " is bound to AnotherTopic, not "
                                                            + topic));
        }
    }

    @Test
    void withoutItsNameServerAnExternalClusterCannotBeAdministrated() {
        try (DevCluster external = DevCluster.external("127.0.0.1:1", "")) {
            assertThat(external.endpoints()).isEqualTo("127.0.0.1:1");
            assertThatThrownBy(() -> external.createLiteTopic(topic))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "the external cluster 127.0.0.1:1 can be administrated only with"
                                    + " -Drocketmq.namesrv=host:port");
        }
    }

    @Test
    void attemptsThatFailLeaveNoDirectory() throws Exception {
        Set<Path> before = adminDirectories();
        Set<Path> attempts;
        try (DevCluster external = DevCluster.external("127.0.0.1:1", "127.0.0.1:1")) {
            assertThatThrownBy(external::brokerNames).isInstanceOf(DevClusterException.class);
            assertThatThrownBy(external::brokerNames).isInstanceOf(DevClusterException.class);
            attempts = adminDirectories();
            attempts.removeAll(before);
            assertThat(attempts).isNotEmpty();
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> attempts.stream().noneMatch(Files::exists));
    }

    private static Set<Path> adminDirectories() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(f -> f.getFileName().toString().startsWith(OWN_ADMIN))
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }

    @Test
    void aNameServerThatIsNotThereIsOneClearError() {
        Set<Long> children = Processes.children();
        try (DevCluster external = DevCluster.external("127.0.0.1:1", "127.0.0.1:1")) {
            assertThatThrownBy(() -> external.createLiteTopic(topic))
                    .isInstanceOf(DevClusterException.class)
                    .hasMessageContaining("attach: ")
                    .hasMessageContaining("127.0.0.1:1");
        }
        assertThat(Processes.children()).isEqualTo(children);
    }
}
