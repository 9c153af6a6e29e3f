/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.testing;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.devcluster.LiteOffsets;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;

/**
 * A main topic and a wildcard group of a test's own on the dev cluster, and a producer for it.
 * Bodies are UTF-8 text.
 */
public final class LiteTopicFixture implements AutoCloseable {

    private static final int SENDS_IN_FLIGHT = 64;
    private static final Duration SEND_LIMIT = Duration.ofSeconds(60);

    private final DevCluster cluster;
    private final String topic;
    private final String group;
    private final LiteProducer producer;
    private final Set<String> liteTopics = ConcurrentHashMap.newKeySet();

    private LiteTopicFixture(DevCluster cluster, String topic, String group) throws Exception {
        this.cluster = cluster;
        this.topic = topic;
        this.group = group;
        this.producer =
                LiteProducer.create(
                        LiteClientConfig.builder()
                                .endpoints(Endpoints.parse(cluster.endpoints()))
                                .credentials(adminOf(cluster))
                                .build(),
                        topic);
        producer.start().get(30, TimeUnit.SECONDS);
    }

    /** Null on a cluster that takes unsigned requests. */
    private static CredentialsProvider adminOf(DevCluster cluster) {
        return cluster.hasAccessControl()
                ? CredentialsProvider.of(
                        Credentials.of(
                                cluster.users().adminAccessKey(), cluster.users().adminSecretKey()))
                : null;
    }

    /** A fresh topic and group on the cluster that the tests of this fork share. */
    public static LiteTopicFixture create() throws Exception {
        return create(DevCluster.shared());
    }

    /** A fresh topic and group on this cluster. */
    public static LiteTopicFixture create(DevCluster cluster) throws Exception {
        String id = UUID.randomUUID().toString().substring(0, 8);
        String topic = "Topic-" + id;
        String group = "GID-" + id;
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        return new LiteTopicFixture(cluster, topic, group);
    }

    public DevCluster cluster() {
        return cluster;
    }

    public String endpoints() {
        return cluster.endpoints();
    }

    public String topic() {
        return topic;
    }

    public String group() {
        return group;
    }

    /** The options of a source on this topic and group. */
    public Configuration sourceOptions() {
        Configuration options = new Configuration();
        options.setString("rocketmq.client.endpoints", endpoints());
        options.setString("rocketmq.source.main-topic", topic);
        options.setString("rocketmq.source.consumer-group", group);
        return options;
    }

    /** Sends one message and waits until it is stored. */
    public void send(String liteTopic, String body) throws Exception {
        producer.send(message(liteTopic, body)).get(30, TimeUnit.SECONDS);
    }

    /**
     * Sends {@code perLiteTopic} messages to each of {@code liteTopics} lite topics, round by
     * round: lite topics {@code lt-0}, {@code lt-1}, …, bodies {@code lt-0#0}, {@code lt-0#1}, …;
     * in order within a lite topic.
     */
    public void sendRounds(int liteTopics, int perLiteTopic) throws Exception {
        for (int round = 0; round < perLiteTopic; round++) {
            Semaphore permits = new Semaphore(SENDS_IN_FLIGHT);
            CompletableFuture<?>[] sends = new CompletableFuture<?>[liteTopics];
            for (int i = 0; i < liteTopics; i++) {
                permits.acquire();
                String liteTopic = "lt-" + i;
                sends[i] =
                        producer.send(message(liteTopic, liteTopic + "#" + round))
                                .whenComplete((receipt, error) -> permits.release());
            }
            CompletableFuture.allOf(sends).get(SEND_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Sends {@code count} messages to one lite topic, many at a time; bodies {@code 0}, {@code 1},
     * …, in no order.
     */
    public void sendMany(String liteTopic, int count) throws Exception {
        Semaphore permits = new Semaphore(SENDS_IN_FLIGHT);
        CompletableFuture<?>[] sends = new CompletableFuture<?>[count];
        for (int i = 0; i < count; i++) {
            permits.acquire();
            sends[i] =
                    producer.send(message(liteTopic, String.valueOf(i)))
                            .whenComplete((receipt, error) -> permits.release());
        }
        CompletableFuture.allOf(sends).get(SEND_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Committed and maximum offset at the broker of each lite topic that was sent to. */
    public Map<String, LiteOffsets> offsets() {
        return cluster.liteOffsets(topic, group, liteTopics);
    }

    /** Messages that the group has not acked, by the broker's offsets. */
    public long backlog() {
        return offsets().values().stream().mapToLong(LiteOffsets::backlog).sum();
    }

    /** Messages ever sent through this fixture, by the broker's offsets. */
    public long stored() {
        return offsets().values().stream().mapToLong(LiteOffsets::max).sum();
    }

    private LiteOutgoingMessage message(String liteTopic, String body) {
        liteTopics.add(liteTopic);
        return LiteOutgoingMessage.of(liteTopic, body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        producer.close();
    }
}
