/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Acks in a job, on the real server: the source in one task, the acks in another. */
@Timeout(300)
class AckJobITCase {

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private static final Map<String, AtomicInteger> WORKED = new ConcurrentHashMap<>();
    private static final Set<Integer> SUBTASKS = ConcurrentHashMap.newKeySet();

    @Test
    void everyMessageIsWorkedOnceAndAckedBehindAKeyBy() throws Exception {
        try (LiteTopicFixture fixture = new LiteTopicFixture(Duration.ofSeconds(60))) {
            JobClient job = startJob(fixture);
            List<CompletableFuture<?>> sends = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                sends.add(fixture.send("lite-" + i % 500, "m" + i));
                if (sends.size() == 200) {
                    CompletableFuture.allOf(sends.toArray(new CompletableFuture<?>[0]))
                            .get(60, TimeUnit.SECONDS);
                    sends.clear();
                }
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(180))
                    .untilAsserted(
                            () ->
                                    assertThat(fixture.offsets())
                                            .hasSize(500)
                                            .allSatisfy(
                                                    (lite, at) -> {
                                                        assertThat(at.max()).isEqualTo(10);
                                                        assertThat(at.committed()).isEqualTo(10);
                                                    }));
            assertThat(WORKED)
                    .hasSize(5_000)
                    .allSatisfy((body, times) -> assertThat(times).hasValue(1));
            assertThat(SUBTASKS).as("both subtasks acked").containsExactlyInAnyOrder(0, 1);
            job.cancel().get(60, TimeUnit.SECONDS);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(Thread.getAllStackTraces().keySet())
                                        .extracting(Thread::getName)
                                        .noneMatch(AckJobITCase::isOurs));
    }

    private static boolean isOurs(String threadName) {
        return threadName.startsWith("rocketmq-") && !threadName.startsWith("rocketmq-dev-");
    }

    private static JobClient startJob(LiteTopicFixture fixture) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        env.fromSource(
                        RocketMQGrpcSource.<String>builder()
                                .setEndpoints(fixture.cluster.endpoints())
                                .setMainTopic(fixture.topic)
                                .setConsumerGroup(fixture.group)
                                .setValueOnlyDeserializer(new SimpleStringSchema())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "lite-source")
                .keyBy(AckableMessage::getLiteTopic)
                .process(new Work())
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    /** Counts what it worked on and acks it. */
    private static final class Work extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            SUBTASKS.add(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
            WORKED.computeIfAbsent(message.getValue(), k -> new AtomicInteger()).incrementAndGet();
            ack(message);
        }
    }
}
