/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.AllWindowedStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.functions.windowing.ProcessAllWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Event time, with a server whose clock, and so the born times, the test moves. */
@Timeout(180)
class EventTimeITCase {

    private static final Duration ARRIVAL = Duration.ofSeconds(60);
    private static final Duration WINDOW = Duration.ofSeconds(1);
    private static final Duration DEFERRAL = Duration.ofSeconds(5);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private final ManualClock clock = new ManualClock();
    private final Seen<String> seen = new Seen<>();
    private final AtomicInteger sent = new AtomicInteger();
    private FakeProxy proxy;

    @BeforeEach
    void startProxy() {
        proxy = FakeProxy.builder().clock(clock).start();
        for (String name : List.of("ahead", "behind")) {
            proxy.createLiteTopic(name);
            proxy.createLiteGroup("GID-" + name, name);
        }
    }

    @AfterEach
    void stopProxy() {
        proxy.close();
        seen.close();
    }

    @Test
    void aSourceThatIsAheadReceivesNothingUntilTheOtherOneHasCaughtUp() throws Exception {
        StreamExecutionEnvironment env = environment();
        WatermarkStrategy<AckableMessage<String>> aligned =
                WatermarkStrategy.<AckableMessage<String>>forMonotonousTimestamps()
                        .withWatermarkAlignment("aligned", WINDOW, Duration.ofMillis(100));
        for (String topic : List.of("ahead", "behind")) {
            source(env, topic, aligned)
                    .process(new NoteAndAck(seen, Duration.ZERO))
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
        }
        JobClient job = env.executeAsync();
        try {
            send("ahead", "a-0");
            send("behind", "b-0");
            awaitSeen("a-0", "b-0");
            clock.advance(Duration.ofHours(1));
            send("ahead", "a-1");
            awaitSeen("a-0", "b-0", "a-1");
            // The poll that waits when the pause begins still brings what it gets.
            await().atMost(ARRIVAL)
                    .pollInterval(Duration.ofMillis(300))
                    .until(
                            () -> {
                                send("ahead", "filler");
                                return proxy.pendingPolls() == 1;
                            });
            long polls = proxy.count(Rpc.RECEIVE);
            send("ahead", "while paused");
            await().during(Duration.ofSeconds(2))
                    .atMost(ARRIVAL)
                    .until(() -> proxy.count(Rpc.RECEIVE) == polls);
            assertThat(seen.items()).doesNotContain("while paused");

            send("behind", "b-1");
            await().atMost(ARRIVAL).until(() -> seen.items().contains("while paused"));
            assertThat(proxy.count(Rpc.RECEIVE)).isGreaterThan(polls + 1);
        } finally {
            job.cancel().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void aDeferredMessageComesBackLateAndAnIdleSourceHoldsUpNoWindow() throws Exception {
        StreamExecutionEnvironment env = environment();
        WatermarkStrategy<AckableMessage<String>> idle =
                WatermarkStrategy.<AckableMessage<String>>forMonotonousTimestamps()
                        .withIdleness(Duration.ofMillis(500));
        DataStream<String> values =
                source(env, "ahead", idle)
                        .union(source(env, "behind", idle))
                        .process(new NoteAndAck(seen, DEFERRAL))
                        .returns(Types.STRING);
        OutputTag<String> late = new OutputTag<>("late", Types.STRING);
        SingleOutputStreamOperator<String> strict =
                windows(values).sideOutputLateData(late).process(new Join("strict"));
        strict.process(new Note(seen)).returns(Types.STRING).sinkTo(new DiscardingSink<>());
        strict.getSideOutput(late)
                .map(value -> "late: " + value)
                .returns(Types.STRING)
                .process(new Note(seen))
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        windows(values)
                .allowedLateness(Duration.ofHours(1))
                .process(new Join("lenient"))
                .process(new Note(seen))
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        JobClient job = env.executeAsync();
        try {
            send("ahead", "slow");
            send("ahead", "quick");
            awaitSeen("deferred: slow", "quick");
            clock.advance(Duration.ofSeconds(3));
            send("ahead", "next");
            // nothing ever comes from the other topic
            awaitSeen("strict[quick]", "lenient[quick]");
            assertThat(seen.items()).doesNotContain("slow");
            // only the deferred one is open, so its deferral has got to the server or soon will
            await().atMost(ARRIVAL).until(() -> proxy.backlog("ahead", "GID-ahead") == 1);

            await().atMost(ARRIVAL)
                    .until(
                            () -> {
                                clock.advance(DEFERRAL);
                                return seen.items().containsAll(List.of("slow", "late: slow"));
                            });
            await().atMost(ARRIVAL).until(() -> seen.items().contains("lenient[quick, slow]"));
            assertThat(seen.items().stream().filter(item -> item.startsWith("late")))
                    .containsExactly("late: slow");
            assertThat(seen.items().stream().filter(item -> item.startsWith("strict")))
                    .containsExactly("strict[quick]");
        } finally {
            job.cancel().get(60, TimeUnit.SECONDS);
        }
    }

    private static StreamExecutionEnvironment environment() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(1);
        env.getConfig().setAutoWatermarkInterval(50);
        return env;
    }

    private DataStream<AckableMessage<String>> source(
            StreamExecutionEnvironment env,
            String topic,
            WatermarkStrategy<AckableMessage<String>> watermarks) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(proxy.endpoints())
                        .setConsumerGroup("GID-" + topic)
                        .setMainTopic(topic)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        return env.fromSource(source, watermarks, topic);
    }

    private static AllWindowedStream<String, TimeWindow> windows(DataStream<String> values) {
        return values.windowAll(TumblingEventTimeWindows.of(WINDOW));
    }

    /** A lite topic of its own each, so that no message waits for another one. */
    private void send(String topic, String body) {
        String liteTopic = "lite-" + sent.incrementAndGet();
        proxy.send(topic, LiteOutgoingMessage.of(liteTopic, body.getBytes(StandardCharsets.UTF_8)));
    }

    private void awaitSeen(String... values) {
        await().atMost(ARRIVAL).until(() -> seen.items().containsAll(List.of(values)));
    }

    /** Notes and acks; defers the value "slow" once, if at all. */
    private static final class NoteAndAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<String> seen;
        private final Duration deferral;

        private NoteAndAck(Seen<String> seen, Duration deferral) {
            this.seen = seen;
            this.deferral = deferral;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            String value = message.getValue();
            boolean defers = value.equals("slow") && !seen.items().contains("deferred: slow");
            if (defers) {
                seen.add("deferred: slow");
                defer(message, deferral);
                return;
            }
            seen.add(value);
            ack(message);
            out.collect(value);
        }
    }

    /** Notes what a window or the side output gave. */
    private static final class Note extends ProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<String> seen;

        private Note(Seen<String> seen) {
            this.seen = seen;
        }

        @Override
        public void processElement(String value, Context context, Collector<String> out) {
            seen.add(value);
        }
    }

    /** The sorted values of a window. */
    private static final class Join extends ProcessAllWindowFunction<String, String, TimeWindow> {
        private static final long serialVersionUID = 1L;
        private final String name;

        private Join(String name) {
            this.name = name;
        }

        @Override
        public void process(Context context, Iterable<String> values, Collector<String> out) {
            List<String> sorted =
                    StreamSupport.stream(values.spliterator(), false)
                            .sorted()
                            .collect(Collectors.toList());
            out.collect(name + sorted);
        }
    }
}
