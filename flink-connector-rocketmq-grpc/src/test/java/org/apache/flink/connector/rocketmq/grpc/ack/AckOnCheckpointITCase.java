/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Acking on checkpoint, on the real server. */
@Timeout(240)
class AckOnCheckpointITCase {

    private static final Duration NEVER = Duration.ofHours(1);
    private static final AtomicBoolean FAILS = new AtomicBoolean();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @TempDir Path savepoints;

    @Test
    void aTaskThatFailsBetweenEmitAndCheckpointLosesNothing() throws Exception {
        FAILS.set(true);
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                Seen<String> seen = new Seen<>()) {
            JobClient job = start(fixture, seen, Duration.ofMillis(500), null);
            try {
                fixture.sendRounds(20, 5);

                await().atMost(Duration.ofSeconds(90)).until(() -> seen.distinct() == 100);
                await().atMost(Duration.ofSeconds(60)).until(() -> fixture.backlog() == 0);
                assertThat(FAILS).as("it has failed").isFalse();
                assertThat(fixture.stored()).isEqualTo(100);
                assertThat(seen.size()).as("what was not covered came again").isGreaterThan(100);
            } finally {
                FAILS.set(false);
                job.cancel().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aLiteTopicGetsOneDeliveryPerCheckpointAndTheEndOfInputAcksTheRest(
            @InjectMiniCluster MiniCluster flink) throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                Seen<String> seen = new Seen<>()) {
            JobClient job = start(fixture, seen, NEVER, null);
            fixture.send("busy", "first");
            await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() == 1);
            for (int i = 0; i < 69; i++) {
                fixture.send("busy", "more#" + i);
            }
            int emitted = settled(seen);
            assertThat(emitted).as("the delivery before is not acked").isEqualTo(1);

            for (int checkpoint = 0; checkpoint < 2; checkpoint++) {
                int before = emitted;
                flink.triggerCheckpoint(job.getJobID(), CheckpointType.FULL)
                        .get(60, TimeUnit.SECONDS);
                await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() > before);
                emitted = settled(seen);
                assertThat(emitted - before).isBetween(1, 32);
                assertThat(fixture.backlog()).isEqualTo(70 - before);
            }

            int left = 70 - emitted;
            job.stopWithSavepoint(
                            true, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                    .get(60, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(30)).until(() -> fixture.backlog() == left);
            assertThat(seen.size()).isEqualTo(70 - left);
        }
    }

    /** How much was emitted when nothing came for two seconds. */
    private static int settled(Seen<String> seen) {
        AtomicInteger last = new AtomicInteger(-1);
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(30))
                .until(() -> last.getAndSet(seen.size()) == seen.size());
        return last.get();
    }

    @Test
    void handlesOfASavepointAreAckedWhenItIsRestoredAndTheirMessagesDoNotComeBack()
            throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                Seen<String> seen = new Seen<>()) {
            JobClient job = start(fixture, seen, NEVER, null);
            fixture.sendRounds(10, 1);
            await().atMost(Duration.ofSeconds(60)).until(() -> seen.distinct() == 10);
            int emitted = seen.size();
            String savepoint =
                    job.triggerSavepoint(
                                    savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                            .get(60, TimeUnit.SECONDS);
            job.cancel().get(60, TimeUnit.SECONDS);
            assertThat(fixture.backlog()).as("a savepoint acks nothing").isEqualTo(10);

            JobClient restored = start(fixture, seen, NEVER, savepoint);
            try {
                await().atMost(Duration.ofSeconds(30)).until(() -> fixture.backlog() == 0);
                assertThat(seen.size()).isEqualTo(emitted);
            } finally {
                restored.cancel().get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static JobClient start(
            LiteTopicFixture fixture, Seen<String> seen, Duration interval, String savepoint)
            throws Exception {
        Duration invisible = Duration.ofSeconds(interval == NEVER ? 60 : 10);
        Configuration job =
                new Configuration()
                        .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, interval)
                        .set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
                        .set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 3)
                        .set(
                                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY,
                                Duration.ofMillis(100));
        if (savepoint != null) {
            job.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        }
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(job);
        env.setParallelism(1);
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(fixture.sourceOptions())
                        .setInvisibleDuration(invisible)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "source")
                .uid("source")
                .keyBy(AckableMessage::getLiteTopic)
                .process(new RocketMQAckOnCheckpointFunction<String>())
                .returns(Types.STRING)
                .uid("ack")
                .map(value -> noteAndFailOnce(seen, value))
                .returns(Types.STRING)
                .uid("note")
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        return env.executeAsync();
    }

    private static String noteAndFailOnce(Seen<String> seen, String value) {
        seen.add(value);
        if (seen.size() > 10 && FAILS.compareAndSet(true, false)) {
            throw new IllegalStateException("as the test wants it");
        }
        return value;
    }
}
