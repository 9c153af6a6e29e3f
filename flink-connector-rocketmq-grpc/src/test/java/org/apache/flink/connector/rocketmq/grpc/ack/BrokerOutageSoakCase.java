/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The broker goes away for 90 s, longer than a lease, while a job without any restart strategy
 * works on what it has received and acks it. Prints what became of the acks; the figures of {@code
 * docs/acknowledging.md} are from here.
 */
@Timeout(900)
class BrokerOutageSoakCase {

    private static final int LITE_TOPICS = 100;
    private static final int PER_LITE_TOPIC = 30;
    private static final Duration AWAY = Duration.ofSeconds(90);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void ninetySecondsWithoutTheBrokerRestartNoJobAndLoseNothing() throws Exception {
        try (DevCluster cluster = DevCluster.builder().start();
                LiteTopicFixture server = LiteTopicFixture.create(cluster);
                Seen<String> seen = new Seen<>()) {
            server.sendRounds(LITE_TOPICS, PER_LITE_TOPIC);
            JobClient job = start(server, seen);
            await().atMost(PATIENCE).until(() -> seen.size() > 100);
            cluster.stopBroker(0);
            int atStop = seen.size();
            TimeUnit.MILLISECONDS.sleep(AWAY.toMillis());
            int atReturn = seen.size();
            assertThat(job.getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
            AckStats stats = Worker.client.stats();
            System.out.println(
                    "while the broker was away for "
                            + AWAY.toSeconds()
                            + " s: "
                            + (atReturn - atStop)
                            + " messages worked on, "
                            + stats.retried
                            + " entries sent again, "
                            + stats.stale
                            + " acks stale, "
                            + stats.inFlight()
                            + " in flight");
            cluster.startBroker(0);
            long begun = System.nanoTime();
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> server.backlog() == 0);
            System.out.println(
                    "backlog 0 after "
                            + Duration.ofNanos(System.nanoTime() - begun).toSeconds()
                            + " s; "
                            + stats.settled
                            + " settled, "
                            + stats.stale
                            + " stale, "
                            + stats.failures
                            + " failed, "
                            + (seen.size() - seen.distinct())
                            + " worked on again");

            assertThat(atReturn).as("work went on meanwhile").isGreaterThan(atStop);
            assertThat(stats.retried.get()).isPositive();
            assertThat(stats.failures).hasValue(0);
            assertThat(seen.distinct()).isEqualTo(LITE_TOPICS * PER_LITE_TOPIC);
            assertThat(job.getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
            job.cancel().get(60, TimeUnit.SECONDS);
        }
    }

    private static JobClient start(LiteTopicFixture server, Seen<String> seen) throws Exception {
        Configuration noRestarts = new Configuration();
        noRestarts.setString("restart-strategy.type", "none");
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(noRestarts);
        env.setParallelism(1);
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(server.sourceOptions())
                        .setFetchConcurrency(32)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "source")
                .process(new Worker(seen))
                .name("ack")
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    /** Works 20 ms on each message, then acks it. */
    private static final class Worker extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private static volatile RocketMQLiteAckClient client;
        private final Seen<String> seen;

        Worker(Seen<String> seen) {
            super(new Configuration());
            this.seen = seen;
        }

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            client = super.acquireClient(config);
            return client;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            TimeUnit.MILLISECONDS.sleep(20);
            seen.add(message.getValue());
            ack(message);
        }
    }
}
