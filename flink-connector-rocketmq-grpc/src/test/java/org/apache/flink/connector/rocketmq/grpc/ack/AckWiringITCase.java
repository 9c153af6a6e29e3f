/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckFixture.Arrival;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Ways to wire acknowledging functions into a job, on the real server. */
@Timeout(240)
class AckWiringITCase {

    private static final Duration INVISIBLE = Duration.ofSeconds(10);
    private static final Duration WORK = INVISIBLE.multipliedBy(2);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    // case 10, the downstream half
    @Test
    void workThatOutlastsTheLeaseTwiceIsDoneOnceIfTheLeaseIsExtendedDownstream() throws Exception {
        try (LiteTopicFixture byHand = LiteTopicFixture.create();
                Seen<String> workedByHand = new Seen<>();
                LiteTopicFixture onCheckpoint = LiteTopicFixture.create();
                Seen<String> workedOnCheckpoint = new Seen<>()) {
            JobClient first = startExtending(byHand, workedByHand);
            JobClient second = startOnCheckpoint(onCheckpoint, workedOnCheckpoint);
            try {
                byHand.send("slow", "slow");
                onCheckpoint.send("slow", "slow");

                await().atMost(Duration.ofSeconds(90))
                        .until(() -> byHand.backlog() == 0 && onCheckpoint.backlog() == 0);
                await().during(Duration.ofSeconds(2))
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> workedByHand.size() == 1 && workedOnCheckpoint.size() == 1);
            } finally {
                first.cancel().get(60, TimeUnit.SECONDS);
                second.cancel().get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static JobClient startExtending(LiteTopicFixture fixture, Seen<String> worked)
            throws Exception {
        StreamExecutionEnvironment env = environment(new Configuration());
        source(env, fixture, 32)
                .process(new Extend())
                .returns(AckableMessageTypeInfo.of(Types.STRING))
                .rebalance()
                .map(message -> message.withValue(work(worked, message.getValue())))
                .returns(AckableMessageTypeInfo.of(Types.STRING))
                .process(new AckLast())
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    /** The barrier queues behind the work, so the checkpoint is not complete before it. */
    private static JobClient startOnCheckpoint(LiteTopicFixture fixture, Seen<String> worked)
            throws Exception {
        StreamExecutionEnvironment env =
                environment(
                        new Configuration()
                                .set(
                                        CheckpointingOptions.CHECKPOINTING_INTERVAL,
                                        Duration.ofSeconds(1)));
        DataStream<String> emitted =
                source(env, fixture, 32)
                        .process(new RocketMQAckOnCheckpointFunction<String>())
                        .returns(Types.STRING);
        emitted.rebalance()
                .map(value -> work(worked, value))
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    private static String work(Seen<String> worked, String value) throws InterruptedException {
        worked.add(value);
        TimeUnit.MILLISECONDS.sleep(WORK.toMillis());
        return value;
    }

    // case 12
    @Test
    void duplicatesThatAreFilteredOutAreAckedEachByItsOwnHandle() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                Seen<String> values = new Seen<>();
                Seen<AckOutcome> outcomes = new Seen<>()) {
            StreamExecutionEnvironment env = environment(new Configuration());
            source(env, fixture, 5)
                    .keyBy(AckableMessage::getValue, Types.STRING)
                    .process(new Deduplicate(outcomes))
                    .returns(Types.STRING)
                    .map(
                            value -> {
                                values.add(value);
                                return value;
                            })
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            JobClient job = env.executeAsync();
            try {
                fixture.sendRounds(2, 5);

                await().atMost(Duration.ofSeconds(90)).until(() -> outcomes.size() >= 20);
                await().atMost(Duration.ofSeconds(30)).until(() -> fixture.backlog() == 0);
                assertThat(values.items()).hasSize(10).doesNotHaveDuplicates();
                // on a slow machine a copy expires too, and is followed by another
                assertThat(outcomes.items()).contains(AckOutcome.STALE);
                assertThat(outcomes.items().stream().filter(AckOutcome.SETTLED::equals))
                        .hasSizeGreaterThanOrEqualTo(10);

                fixture.send("lt-0", "more");
                await().atMost(Duration.ofSeconds(30)).until(() -> values.size() == 11);
            } finally {
                job.cancel().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void afterACancelUnfinishedDeliveriesReachAnotherReaderLongBeforeTheirLeaseEnds()
            throws Exception {
        Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
        try (AckFixture other = new AckFixture(Duration.ofSeconds(60));
                Seen<String> seen = new Seen<>()) {
            LiteTopicFixture fixture = other.server;
            StreamExecutionEnvironment env = environment(new Configuration());
            source(env, fixture, 32, Duration.ofSeconds(60))
                    .keyBy(AckableMessage::getLiteTopic)
                    .process(new ClaimOnly(seen))
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            JobClient job = env.executeAsync();
            fixture.sendRounds(10, 1);
            await().atMost(Duration.ofSeconds(60)).until(() -> seen.distinct() == 10);
            other.receive(arrivals::add);

            long cancelled = System.nanoTime();
            job.cancel().get(60, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> arrivals.stream().map(a -> a.body).distinct().count() == 10);

            long last = arrivals.stream().mapToLong(a -> a.atNanos).max().orElseThrow();
            System.out.println(
                    "10 interrupted lite topics reached another reader "
                            + Duration.ofNanos(last - cancelled).toMillis()
                            + " ms after the cancel");
            assertThat(other.errors()).isEmpty();
        }
    }

    private static StreamExecutionEnvironment environment(Configuration job) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(job);
        env.setParallelism(1);
        return env;
    }

    private static DataStream<AckableMessage<String>> source(
            StreamExecutionEnvironment env, LiteTopicFixture fixture, int maxMessages) {
        return source(env, fixture, maxMessages, INVISIBLE);
    }

    private static DataStream<AckableMessage<String>> source(
            StreamExecutionEnvironment env,
            LiteTopicFixture fixture,
            int maxMessages,
            Duration invisible) {
        return env.fromSource(
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(fixture.sourceOptions())
                        .setInvisibleDuration(invisible)
                        .setMaxMessageNum(maxMessages)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build(),
                WatermarkStrategy.noWatermarks(),
                "source");
    }

    /** Emits each message with a lease that covers the work. */
    private static final class Extend
            extends RocketMQAckProcessFunction<String, AckableMessage<String>> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                AckableMessage<String> message,
                Context context,
                Collector<AckableMessage<String>> out)
                throws Exception {
            RocketMQReceiptHandle renewed =
                    changeInvisibleDuration(message, WORK.multipliedBy(2)).get(5, TimeUnit.SECONDS);
            out.collect(new AckableMessage<>(message.getValue(), renewed));
        }
    }

    /** Acks. */
    private static final class AckLast extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            ack(message);
            out.collect(message.getValue());
        }
    }

    /** Claims what it gets and finishes nothing. */
    private static final class ClaimOnly
            extends RocketMQKeyedAckProcessFunction<String, String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<String> seen;

        private ClaimOnly(Seen<String> seen) {
            this.seen = seen;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            claim(message);
            seen.add(message.getValue());
        }
    }

    /**
     * Emits a value once. The first copy is acked after its lease, so that a second one comes; that
     * one is filtered out and acked.
     */
    private static final class Deduplicate
            extends RocketMQKeyedAckProcessFunction<String, String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<AckOutcome> outcomes;
        private transient ValueState<RocketMQReceiptHandle> first;

        private Deduplicate(Seen<AckOutcome> outcomes) {
            this.outcomes = outcomes;
        }

        @Override
        public void open(OpenContext context) throws Exception {
            super.open(context);
            first =
                    getRuntimeContext()
                            .getState(
                                    new ValueStateDescriptor<>(
                                            "first", RocketMQReceiptHandleTypeInfo.INSTANCE));
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            if (first.value() == null) {
                first.update(message.getReceiptHandle());
                context.timerService()
                        .registerProcessingTimeTimer(
                                message.getReceiptHandle().getLeaseEndMillis() + 500);
                out.collect(message.getValue());
            } else {
                ack(message).thenAccept(outcomes::add);
            }
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<String> out)
                throws Exception {
            ack(first.value()).thenAccept(outcomes::add);
        }
    }
}
