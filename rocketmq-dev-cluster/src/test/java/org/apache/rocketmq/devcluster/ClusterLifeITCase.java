/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import apache.rocketmq.v2.Message;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.rocketmq.devcluster.server.LiteClient;
import org.apache.rocketmq.devcluster.wire.DirectoryTree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starting, killing, restarting and closing; every test has clusters of its own. */
@Timeout(240)
class ClusterLifeITCase {

    private static final String TOPIC = "LifeTopic";
    private static final String GROUP = "GID-life";

    private final Set<Long> childrenBefore = Processes.children();

    @TempDir Path directory;

    @AfterEach
    void noChildIsLeft() {
        assertThat(Processes.children()).isEqualTo(childrenBefore);
    }

    @Test
    void messagesAndCommittedOffsetsOutliveAKillAndABrokerRestart() throws Exception {
        DevCluster cluster = DevCluster.builder().dataDir(directory.resolve("data")).start();
        try (cluster) {
            String endpoints = cluster.endpoints();
            cluster.createLiteTopic(TOPIC);
            cluster.createLiteGroup(GROUP, TOPIC);
            sendAndAck(endpoints, "acked");
            sendAndAck(endpoints, "acked");
            send(endpoints, "waiting");

            cluster.restartBroker(0);

            assertThat(cluster.liteOffsets(TOPIC, GROUP, "acked")).isEqualTo(offsets(2, 2));
            assertThat(cluster.liteOffsets(TOPIC, GROUP, "waiting")).isEqualTo(offsets(0, 1));

            cluster.kill();

            assertThat(Processes.children()).isEqualTo(childrenBefore);
            assertThatThrownBy(() -> cluster.createLiteTopic("Other"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("was killed and not started again");

            cluster.startAgain();

            assertThat(cluster.endpoints()).isEqualTo(endpoints);
            assertThat(cluster.liteOffsets(TOPIC, GROUP, "acked")).isEqualTo(offsets(2, 2));
            assertThat(cluster.liteOffsets(TOPIC, GROUP, "waiting")).isEqualTo(offsets(0, 1));
            sendAndAck(endpoints, "acked");
            assertThat(cluster.liteOffsets(TOPIC, GROUP, "acked")).isEqualTo(offsets(3, 3));
        }
        assertThat(directory.resolve("data")).isNotEmptyDirectory();
    }

    @Test
    void twoBrokersShareATopicAndEachCanBeStopped() throws Exception {
        try (DevCluster cluster = DevCluster.builder().brokers(2).start()) {
            assertThat(cluster.brokerNames()).containsExactly("broker-0", "broker-1");
            cluster.createLiteTopic(TOPIC);
            cluster.createLiteGroup(GROUP, TOPIC);
            List<String> liteTopics = List.of("a", "b", "c", "d", "e", "f", "g", "h");
            try (LiteClient client = new LiteClient(cluster.endpoints(), TOPIC, GROUP)) {
                client.sendToEach(liteTopics);
                client.join();
                Set<String> received = new HashSet<>();
                Set<String> brokers = new HashSet<>();
                while (received.size() < liteTopics.size()) {
                    for (Message message : client.receive()) {
                        received.add(message.getSystemProperties().getLiteTopic());
                        // "startOffset popTime invisibleTime reviveQueue topicType broker …"
                        brokers.add(message.getSystemProperties().getReceiptHandle().split(" ")[5]);
                        client.ack(message);
                    }
                }
                assertThat(brokers).containsExactlyInAnyOrder("broker-0", "broker-1");
            }
            assertThat(cluster.liteOffsets(TOPIC, GROUP))
                    .containsOnlyKeys(liteTopics.toArray(new String[0]))
                    .allSatisfy((name, offsets) -> assertThat(offsets).isEqualTo(offsets(1, 1)));
            try (DevCluster external =
                    DevCluster.external(cluster.endpoints(), cluster.namesrvAddr())) {
                assertThat(external.liteOffsets(TOPIC, GROUP, liteTopics))
                        .as("as somebody sees it who did not start it")
                        .isEqualTo(cluster.liteOffsets(TOPIC, GROUP));
            }

            cluster.stopBroker(1);

            assertThatThrownBy(() -> cluster.liteOffsets(TOPIC, GROUP))
                    .isInstanceOf(DevClusterException.class)
                    .hasMessageContaining("broker-1 is stopped");
            assertThatThrownBy(() -> cluster.stopBroker(1))
                    .hasMessageContaining("broker-1 is not running");
            cluster.startBroker(1);
            assertThat(cluster.liteOffsets(TOPIC, GROUP)).hasSize(liteTopics.size());
        }
    }

    @Test
    void clustersStartedTogetherDoNotCollideAndCloseInTime() throws Exception {
        Set<String> before = temporaryDirectories();
        CompletableFuture<DevCluster> starting =
                CompletableFuture.supplyAsync(() -> DevCluster.builder().start());
        DevCluster first = DevCluster.builder().storeType("default").start();
        DevCluster second = starting.join();
        assertThat(first.endpoints()).isNotEqualTo(second.endpoints());
        assertThat(temporaryDirectories()).hasSize(before.size() + 2);
        for (DevCluster cluster : List.of(first, second)) {
            cluster.createLiteTopic(TOPIC);
            long start = System.nanoTime();

            cluster.close();
            cluster.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isLessThan(Duration.ofSeconds(5));
            assertThatThrownBy(() -> cluster.createLiteTopic(TOPIC))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
            assertThatThrownBy(cluster::startAgain).hasMessage("the dev cluster is closed");
        }
        assertThat(temporaryDirectories()).isEqualTo(before);
        assertThat(Processes.children()).isEqualTo(childrenBefore);
    }

    @Test
    void aKillWhileACommandRunsFailsItWithTheEndOfTheLog() throws Exception {
        try (DevCluster cluster = DevCluster.builder().start()) {
            CompletableFuture<Void> restart =
                    CompletableFuture.runAsync(() -> cluster.restartBroker(0));
            assertThatThrownBy(() -> restart.get(1, TimeUnit.SECONDS))
                    .isInstanceOf(TimeoutException.class);

            cluster.kill();

            assertThatThrownBy(restart::join)
                    .hasCauseInstanceOf(DevClusterException.class)
                    .hasMessageContaining("stop-broker: the server process")
                    .hasMessageContaining("is gone; end of its log:");
        }
    }

    @Test
    void wrongSettingsAreOneClearErrorAndLeaveNothing() throws Exception {
        Set<String> before = temporaryDirectories();

        assertThatThrownBy(() -> DevCluster.builder().brokerProperty("noSuchKey", "1").start())
                .isInstanceOf(DevClusterException.class)
                .hasMessageContaining("the broker has no property noSuchKey");
        assertThatThrownBy(
                        () ->
                                DevCluster.builder()
                                        .brokerProperty("maxClientEventCount", "many")
                                        .start())
                .isInstanceOf(DevClusterException.class)
                .hasMessageContaining(
                        "the broker property maxClientEventCount does not accept many");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> DevCluster.builder().proxyPort(taken.getLocalPort()).start())
                    .isInstanceOf(DevClusterException.class)
                    .hasMessage("proxyPort: " + taken.getLocalPort() + " is taken");
        }
        assertThat(temporaryDirectories()).isEqualTo(before);
    }

    private static void send(String endpoints, String liteTopic) {
        try (LiteClient client = new LiteClient(endpoints, TOPIC, GROUP)) {
            client.send(liteTopic, "x");
        }
    }

    private static void sendAndAck(String endpoints, String liteTopic) throws Exception {
        try (LiteClient client = new LiteClient(endpoints, TOPIC, GROUP)) {
            client.join();
            client.send(liteTopic, "x");
            boolean acked = false;
            while (!acked) {
                for (Message message : client.receive()) {
                    if (message.getSystemProperties().getLiteTopic().equals(liteTopic)) {
                        client.ack(message);
                        acked = true;
                    }
                }
            }
            client.leave();
        }
    }

    private static LiteOffsets offsets(long committed, long max) {
        return new LiteOffsets(committed, max);
    }

    private static Set<String> temporaryDirectories() throws Exception {
        Set<String> names = new HashSet<>();
        for (String name : Processes.entries(Path.of(System.getProperty("java.io.tmpdir")))) {
            if (name.startsWith(DirectoryTree.ownPrefix("rocketmq-dev-cluster"))) {
                names.add(name);
            }
        }
        return names;
    }
}
