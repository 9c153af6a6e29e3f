/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.LogCapture;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The acknowledging session opens with the first ack in a TaskManager. Here the broker is away just
 * then, and the proxy has never heard of the group. Prints what the proxy says of it.
 */
@Timeout(600)
class AckStartInOutageSoakCase {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Longer than any other client goes on starting. */
    private static final Duration AWAY = Duration.ofSeconds(15);

    @Test
    void anAckThatOpensItsSessionWhileTheBrokerIsAwayIsSettledAfterItsReturn() throws Exception {
        try (DevCluster cluster = DevCluster.builder().start();
                LiteTopicFixture server = LiteTopicFixture.create(cluster);
                LogCapture logs = LogCapture.begin()) {
            RocketMQReceiptHandle handle = receiveOne(server);
            cluster.restartProxy();
            cluster.stopBroker(0);
            RocketMQLiteAckClient client =
                    RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
            try {
                CompletableFuture<AckOutcome> ack = client.ack(handle);
                await().pollDelay(AWAY)
                        .atMost(PATIENCE)
                        .until(() -> client.stats().retried.get() > 0);
                assertThat(ack).isNotDone();
                cluster.startBroker(0);

                assertThat(ack.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isEqualTo(AckOutcome.SETTLED);
                await().atMost(PATIENCE).until(() -> server.offsets().get("lite").committed() == 1);
                logs.lines().stream()
                        .filter(line -> line.contains("acknowledger session"))
                        .forEach(System.out::println);
                System.out.println(client.stats().retried + " repeated acks, then settled");
            } finally {
                client.release();
            }
        }
    }

    private static RocketMQReceiptHandle receiveOne(LiteTopicFixture server) throws Exception {
        Endpoints endpoints = Endpoints.parse(server.endpoints());
        try (LiteSimpleConsumer consumer =
                LiteSimpleConsumer.create(
                        LiteClientConfig.builder().endpoints(endpoints).build(),
                        new LiteSubscription(
                                server.topic(),
                                server.group(),
                                Duration.ofSeconds(5),
                                Duration.ofMinutes(10)))) {
            consumer.start().get(60, TimeUnit.SECONDS);
            server.send("lite", "value");
            String broker = consumer.brokers().iterator().next();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (System.nanoTime() < deadline) {
                List<LiteMessage> messages = consumer.receive(broker, 32).get(60, TimeUnit.SECONDS);
                if (!messages.isEmpty()) {
                    return RocketMQReceiptHandleCodec.begin(
                                    messages.get(0), endpoints.toString(), "", server.group())
                            .place(0, true)
                            .build();
                }
            }
        }
        throw new AssertionError("nothing received");
    }
}
