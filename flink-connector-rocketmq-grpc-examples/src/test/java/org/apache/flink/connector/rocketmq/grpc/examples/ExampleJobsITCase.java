/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.RocketMQThrottleGate;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.TokenBucketThrottlePolicy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.devcluster.LiteOffsets;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The example jobs do on a real server what their documentation says. */
@Timeout(150)
class ExampleJobsITCase {

    private static final List<String> TENANTS =
            List.of("tenant-0", "tenant-1", "tenant-2", "tenant-3", "tenant-4");
    private static final int MESSAGES = 8;
    private static final LiteOffsets ALL_SETTLED = new LiteOffsets(MESSAGES, MESSAGES);

    private final DevCluster cluster = DevCluster.shared();
    private final String suffix = UUID.randomUUID().toString().substring(0, 8);
    private final String topic = "examples-" + suffix;
    private final String group = "GID-examples-" + suffix;
    private final StreamExecutionEnvironment env =
            StreamExecutionEnvironment.createLocalEnvironment(2);

    @BeforeEach
    void create() {
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
    }

    @Test
    void readAndAckJobWorksOnEveryMessageInOrderAndSettlesIt() throws Exception {
        List<String> worked =
                runUntilSettled(ReadAndAckJob.build(env, cluster.endpoints(), topic, group));

        assertThat(worked).hasSize(TENANTS.size() * MESSAGES).doesNotHaveDuplicates();
        for (String tenant : TENANTS) {
            String prefix = tenant + ": ";
            assertThat(worked)
                    .filteredOn(line -> line.startsWith(prefix))
                    .hasSize(MESSAGES)
                    .allSatisfy(line -> assertThat(line).isEqualTo(line.trim()))
                    .isSorted();
        }
    }

    @Test
    void throttledJobSettlesWhatItDeferredTooAndWorksOnItOnce() throws Exception {
        RocketMQThrottleGate<String> gate =
                new RocketMQThrottleGate<>(TokenBucketThrottlePolicy.of(4, 2));
        long start = System.nanoTime();

        List<Integer> worked =
                runUntilSettled(ThrottledJob.build(env, cluster.endpoints(), topic, group, gate));

        assertThat(worked).hasSize(TENANTS.size() * MESSAGES);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("two at once and then four per second")
                .isGreaterThan(Duration.ofMillis(1000L * (MESSAGES - 2) / 4));
    }

    /** Sends messages once the job reads; ends the job when the broker has all of them settled. */
    private <T> List<T> runUntilSettled(DataStream<T> stream) throws Exception {
        List<T> worked = new ArrayList<>();
        try (CloseableIterator<T> results = stream.executeAndCollect("examples")) {
            await().atMost(Duration.ofSeconds(60)).until(() -> cluster.hasSubscriber(topic, group));
            sendAll();
            while (worked.size() < TENANTS.size() * MESSAGES) {
                worked.add(results.next());
            }
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(cluster.liteOffsets(topic, group, TENANTS))
                                            .hasSize(TENANTS.size())
                                            .allSatisfy(
                                                    (tenant, offsets) ->
                                                            assertThat(offsets)
                                                                    .isEqualTo(ALL_SETTLED)));
        }
        return worked;
    }

    private void sendAll() throws Exception {
        LiteClientConfig config =
                LiteClientConfig.builder().endpoints(Endpoints.parse(cluster.endpoints())).build();
        try (LiteProducer producer = LiteProducer.create(config, topic)) {
            producer.start().get(20, TimeUnit.SECONDS);
            for (int message = 0; message < MESSAGES; message++) {
                for (String tenant : TENANTS) {
                    byte[] body = (" message " + message + " ").getBytes(StandardCharsets.UTF_8);
                    producer.send(LiteOutgoingMessage.of(tenant, body)).get(20, TimeUnit.SECONDS);
                }
            }
        }
    }
}
