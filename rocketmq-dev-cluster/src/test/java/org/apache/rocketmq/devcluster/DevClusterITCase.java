/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.devcluster.server.LiteClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a cluster of one broker does for its user. */
@Timeout(120)
class DevClusterITCase {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private static DevCluster cluster;

    private final String topic = "Topic" + NEXT.incrementAndGet();
    private final String group = "GID-" + topic;

    @BeforeAll
    static void start() {
        cluster = DevCluster.builder().fastLiteEvents(true).start();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @Test
    void aLiteMessageGoesThroughAndItsOffsetsAreTold() throws Exception {
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        try (LiteClient client = new LiteClient(cluster.endpoints(), topic, group)) {
            assertThat(cluster.hasSubscriber(topic, group)).isFalse();
            client.join();
            assertThat(cluster.consumerClientIds(topic, group)).hasSize(1);
            assertThat(cluster.hasSubscriber(topic, group)).isTrue();
            for (String body : new String[] {"a", "b", "c"}) {
                client.send("tenant-1", body);
            }
            // the broker dispatches after it answered
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> cluster.liteOffsets(topic, group, "tenant-1").max() == 3);
            assertThat(cluster.liteOffsets(topic, group, "tenant-1").committed()).isZero();

            int acked = 0;
            while (acked < 3) {
                for (Message message : client.receive()) {
                    client.ack(message);
                    acked++;
                }
            }

            assertThat(cluster.liteOffsets(topic, group, "tenant-1"))
                    .isEqualTo(new LiteOffsets(3, 3));
            assertThat(cluster.liteOffsets(topic, group))
                    .isEqualTo(Map.of("tenant-1", new LiteOffsets(3, 3)));
            assertThat(cluster.liteOffsets(topic, group, List.of("none", "tenant-1")))
                    .isEqualTo(
                            Map.of(
                                    "none", new LiteOffsets(0, 0),
                                    "tenant-1", new LiteOffsets(3, 3)));
            client.leave();
            await().atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () -> assertThat(cluster.consumerClientIds(topic, group)).isEmpty());
            assertThat(cluster.hasSubscriber(topic, group)).isFalse();
        }
    }

    @Test
    void anUnknownLiteTopicHasNoOffsets() {
        cluster.createLiteTopic(topic);

        assertThat(cluster.liteOffsets(topic, group, "none")).isEqualTo(new LiteOffsets(0, 0));
        assertThat(cluster.liteOffsets(topic, group)).isEmpty();
    }

    @Test
    void theOffsetsOfTenThousandLiteTopicsComeInOneCall() throws Exception {
        cluster.createLiteTopic(topic);
        cluster.createLiteTopic(topic + "-other");
        List<String> liteTopics =
                IntStream.range(0, 10_000).mapToObj(i -> "t" + i).collect(Collectors.toList());
        try (LiteClient client = new LiteClient(cluster.endpoints(), topic, group);
                LiteClient other = new LiteClient(cluster.endpoints(), topic + "-other", group)) {
            other.send("t1", "not counted here");
            client.sendToEach(liteTopics);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.liteOffsets(topic, group).size() == liteTopics.size());
            long start = System.nanoTime();

            Map<String, LiteOffsets> offsets = cluster.liteOffsets(topic, group);

            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(offsets).containsOnlyKeys(liteTopics.toArray(new String[0]));
            assertThat(offsets.values()).containsOnly(new LiteOffsets(0, 1));
            assertThat(took).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void aChangedGroupIsInForceWhenTheCallReturns() throws Exception {
        cluster.createLiteTopic(topic);
        cluster.createGroup(group, Map.of("+lite.bind.topic", topic));
        try (LiteClient client = new LiteClient(cluster.endpoints(), topic, group)) {
            client.connect();
            assertThat(client.subscribe(LiteSubscriptionAction.PARTIAL_ADD, "probe"))
                    .isEqualTo(Code.OK);

            cluster.updateGroupAttributes(group, Map.of("lite.sub.wildcard", "true"), Set.of());

            assertThat(client.subscribe(LiteSubscriptionAction.PARTIAL_ADD, "probe"))
                    .isEqualTo(Code.INTERNAL_SERVER_ERROR);

            cluster.updateGroupAttributes(group, Map.of(), Set.of("lite.sub.wildcard"));

            assertThat(client.subscribe(LiteSubscriptionAction.PARTIAL_ADD, "probe"))
                    .isEqualTo(Code.OK);
        }
    }

    @Test
    void aGroupThatIsNotLiteIsRefusedByTheServer() {
        cluster.createLiteTopic(topic);
        cluster.createGroup(group, Map.of());
        try (LiteClient client = new LiteClient(cluster.endpoints(), topic, group)) {
            assertThatThrownBy(client::connect)
                    .hasMessageContaining("regular group cannot use LITE mode");
        }
    }

    @Test
    void aTopicOfAnotherTypeTakesNoLiteMessage() {
        cluster.createTopic(topic, Map.of());
        try (LiteClient client = new LiteClient(cluster.endpoints(), topic, group)) {
            assertThat(client.topicIsKnown()).isTrue();
            assertThatThrownBy(() -> client.send("t", "x"))
                    .hasMessage("expected OK, got " + Code.MESSAGE_PROPERTY_CONFLICT_WITH_TYPE);
        }
    }

    @Test
    void aDeletedTopicIsGoneWhenTheCallReturns() {
        cluster.createLiteTopic(topic);
        try (LiteClient client = new LiteClient(cluster.endpoints(), topic, group)) {
            assertThat(client.topicIsKnown()).isTrue();

            cluster.deleteTopic(topic);

            assertThat(client.topicIsKnown()).isFalse();
        }
    }

    @Test
    void aDeletedGroupIsUnknown() {
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);

        cluster.deleteGroup(group);

        assertThatThrownBy(() -> cluster.updateGroupAttributes(group, Map.of(), Set.of()))
                .isInstanceOf(DevClusterException.class)
                .hasMessageContaining(group);
    }

    @Test
    void creatingTheSameTwiceIsNoError() {
        cluster.createLiteTopic(topic);
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        cluster.createLiteGroup(group, topic);

        assertThat(cluster.brokerNames()).containsExactly("broker-0");
    }

    @Test
    void aRestartedProxyForgetsItsClientsAndServesNewOnes() throws Exception {
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        try (LiteClient before = new LiteClient(cluster.endpoints(), topic, group);
                LiteClient after = new LiteClient(cluster.endpoints(), topic, group)) {
            before.join();

            cluster.restartProxy();

            assertThatThrownBy(before::leave)
                    .hasMessage("expected OK, got " + Code.UNRECOGNIZED_CLIENT_TYPE);
            after.join();
            after.send("t", "x");
            assertThat(after.receive()).hasSize(1);
        }
    }

    @Test
    void anAttributeThatDoesNotExistIsOneClearError() {
        assertThatThrownBy(() -> cluster.createTopic(topic, Map.of("no.such.attribute", "1")))
                .isInstanceOf(DevClusterException.class)
                .hasMessageStartingWith("create-topic: ")
                .hasMessageContaining("no.such.attribute");
    }

    @Test
    void aTopicNameWithADotIsRefusedByTheServer() {
        assertThatThrownBy(() -> cluster.createLiteTopic("a.b"))
                .isInstanceOf(DevClusterException.class)
                .hasMessageStartingWith("create-topic: ")
                .hasMessageContaining("The specified topic: a.b, contains illegal characters");
    }

    @Test
    void aBrokerThatDoesNotExistIsOneClearError() {
        assertThatThrownBy(() -> cluster.restartBroker(1))
                .isInstanceOf(DevClusterException.class)
                .hasMessageContaining("no broker 1 (expected: 0 to 0)");
    }
}
