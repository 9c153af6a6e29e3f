/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One topic on two brokers, one poll at each. */
class BrokersITCase {

    private static final String TOPIC = "two-brokers";

    private static DevCluster cluster;
    private static LiteClientConfig config;

    private final String group = "GID-" + System.nanoTime();

    @BeforeAll
    static void startCluster() {
        cluster = DevCluster.builder().brokers(2).start();
        cluster.createLiteTopic(TOPIC);
        config = LiteClientConfig.builder().endpoints(Endpoints.parse(cluster.endpoints())).build();
    }

    @AfterAll
    static void closeCluster() {
        cluster.close();
    }

    @BeforeEach
    void createGroup() {
        cluster.createLiteGroup(group, TOPIC);
    }

    // beside case 31
    @Test
    @Timeout(120)
    void trafficOnOneBrokerDoesNotWaitForThePollAtTheOther() throws Exception {
        LiteSimpleConsumer consumer = consumer();
        try (LiteProducer producer = LiteProducer.create(config, TOPIC);
                PollingLoop loop = new PollingLoop(consumer, consumer::ack)) {
            producer.start().get(30, TimeUnit.SECONDS);
            loop.start();
            assertThat(consumer.brokers()).hasSize(2);
            sendAndMeasure(producer, loop);
            List<Duration> delays = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                delays.add(sendAndMeasure(producer, loop));
            }
            Collections.sort(delays);
            assertThat(delays.get(197)).as("p99 of %s", delays).isLessThan(Duration.ofMillis(500));
        }
    }

    // beside case 25
    @Test
    @Timeout(240)
    void aRestartedBrokerIsSubscribedToAgain() throws Exception {
        LiteSimpleConsumer consumer = consumer();
        try (LiteProducer producer = LiteProducer.create(config, TOPIC);
                PollingLoop loop = new PollingLoop(consumer, consumer::ack)) {
            producer.start().get(30, TimeUnit.SECONDS);
            loop.start();
            sendToEach(producer, loop, "before");
            cluster.restartBroker(0);
            await().atMost(Duration.ofSeconds(90))
                    .ignoreExceptionsMatching(e -> e instanceof ExecutionException)
                    .until(
                            () -> {
                                sendToEach(producer, loop, "after");
                                return true;
                            });
        }
    }

    /** The name of a lite topic decides on its broker: eight of them are on both. */
    private static void sendToEach(LiteProducer producer, PollingLoop loop, String prefix)
            throws Exception {
        for (int i = 0; i < 8; i++) {
            String name = prefix + "-" + i + "-" + System.nanoTime();
            String id =
                    producer.send(LiteOutgoingMessage.of(name, new byte[] {1}))
                            .get(10, TimeUnit.SECONDS)
                            .messageId();
            await().atMost(Duration.ofSeconds(40))
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> loop.has(id));
        }
    }

    private static Duration sendAndMeasure(LiteProducer producer, PollingLoop loop)
            throws Exception {
        long sent = System.nanoTime();
        String id =
                producer.send(LiteOutgoingMessage.of("always-the-same", new byte[] {1}))
                        .get(10, TimeUnit.SECONDS)
                        .messageId();
        await().atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> loop.has(id));
        return Duration.ofNanos(loop.arrivalNanos(id) - sent);
    }

    private LiteSimpleConsumer consumer() {
        return LiteSimpleConsumer.create(
                config,
                new LiteSubscription(TOPIC, group, Duration.ofSeconds(20), Duration.ofSeconds(30)));
    }
}
