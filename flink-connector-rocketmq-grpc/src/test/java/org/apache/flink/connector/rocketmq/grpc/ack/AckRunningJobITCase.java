/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.testing.Gate;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Gaps and deferrals in a running job on the real server. */
@Timeout(300)
class AckRunningJobITCase {

    private static final String LITE = "hot";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration DEFERRAL = Duration.ofSeconds(3);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void aGapHoldsUpNeitherCheckpointsNorTheEndOfTheInput(@TempDir Path savepoints)
            throws Exception {
        try (LiteTopicFixture server = LiteTopicFixture.create();
                Seen<String> seen = new Seen<>();
                Seen<Long> checkpoints = new Seen<>()) {
            for (int i = 0; i < 3; i++) {
                server.send(LITE, String.valueOf(i));
            }
            Configuration patient =
                    new Configuration()
                            .set(RocketMQGrpcAckOptions.ORDER_TIMEOUT, Duration.ofHours(1))
                            .set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofMinutes(10));
            JobClient job = start(server, new AckAllButTheFirst(patient, seen, checkpoints), 100);
            await().atMost(PATIENCE).until(() -> seen.distinct() == 3);
            int before = checkpoints.size();
            await().atMost(PATIENCE).until(() -> checkpoints.size() >= before + 3);

            long begun = System.nanoTime();
            job.stopWithSavepoint(
                            true, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
                    .get(120, TimeUnit.SECONDS);
            System.out.println(
                    "end of input with a gap: "
                            + Duration.ofNanos(System.nanoTime() - begun).toMillis()
                            + " ms");
            assertThat(server.offsets().get(LITE).committed())
                    .as("the first message is not acked")
                    .isLessThanOrEqualTo(0);
        }
    }

    @Test
    void aDeferralIsHonouredWhileTheRestOfItsDeliveryWaitsInTheSource() throws Exception {
        try (LiteTopicFixture server = LiteTopicFixture.create();
                Seen<Handled> seen = new Seen<>();
                Gate gate = new Gate()) {
            for (int i = 0; i < 16; i++) {
                server.send(LITE, String.valueOf(i));
            }
            gate.shut();
            JobClient job = start(server, new DeferTheFirstAndWait(seen, gate), 0);
            await().atMost(PATIENCE).until(() -> seen.size() > 0);
            TimeUnit.SECONDS.sleep(6);
            gate.open();
            await().atMost(PATIENCE).until(() -> server.offsets().get(LITE).committed() == 16);
            job.cancel().get(60, TimeUnit.SECONDS);

            Handled deferred = seen.items().get(0);
            List<Handled> back =
                    seen.items().stream()
                            .filter(handled -> handled.deliveryId != deferred.deliveryId)
                            .collect(Collectors.toList());
            long silentMillis = back.get(0).deliveryId - deferred.atMillis;
            System.out.println(
                    "deferral of " + DEFERRAL + " honoured after " + silentMillis + " ms");
            assertThat(silentMillis)
                    .isBetween(DEFERRAL.toMillis() - 100, DEFERRAL.toMillis() + 20_000);
            assertThat(back.get(0).value).isEqualTo(deferred.value);
        }
    }

    private static JobClient start(
            LiteTopicFixture server,
            RocketMQAckProcessFunction<String, String> function,
            long checkpointMillis)
            throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(new Configuration());
        env.setParallelism(1);
        if (checkpointMillis > 0) {
            env.enableCheckpointing(checkpointMillis);
        }
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(server.sourceOptions())
                        .setFetchConcurrency(2)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "source")
                .process(function)
                .name("ack")
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    /** Leaves message 0 unfinished, so that the acks of the others wait behind it. */
    private static final class AckAllButTheFirst extends RocketMQAckProcessFunction<String, String>
            implements CheckpointListener {
        private static final long serialVersionUID = 1L;
        private final Seen<String> seen;
        private final Seen<Long> checkpoints;

        AckAllButTheFirst(Configuration configuration, Seen<String> seen, Seen<Long> checkpoints) {
            super(configuration);
            this.seen = seen;
            this.checkpoints = checkpoints;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            if (!message.getValue().equals("0")) {
                ack(message);
            }
            seen.add(message.getValue());
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) {
            checkpoints.add(checkpointId);
        }
    }

    /** What the function got, and when. */
    private static final class Handled {
        private final String value;
        private final long deliveryId;
        private final long atMillis = System.currentTimeMillis();

        Handled(AckableMessage<String> message) {
            value = message.getValue();
            deliveryId = message.getReceiptHandle().getDeliveryId();
        }
    }

    /** Defers the very first message, then holds the task up; acks everything that comes after. */
    private static final class DeferTheFirstAndWait
            extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<Handled> seen;
        private final Gate gate;
        private transient boolean deferred;

        DeferTheFirstAndWait(Seen<Handled> seen, Gate gate) {
            super(new Configuration());
            this.seen = seen;
            this.gate = gate;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            if (deferred) {
                seen.add(new Handled(message));
                ack(message);
                return;
            }
            deferred = true;
            seen.add(new Handled(message));
            defer(message, DEFERRAL);
            gate.pass();
        }
    }
}
