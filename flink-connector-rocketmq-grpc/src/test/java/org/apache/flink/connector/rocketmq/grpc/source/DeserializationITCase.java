/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckOutcome;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQMessageView;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** None, one and many records per message, and messages that cannot be read, on the real server. */
@Timeout(240)
class DeserializationITCase {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    private static final int TENTHS = 3200;
    private static final Duration ORDER_TIMEOUT = Duration.ofSeconds(60);
    private static final int THIRDS = 20;

    private static Job ofTenths;
    private static Job ofThirds;
    private static Job ofAcked;
    private static Job ofUnacked;
    private static Seen<Boolean> crashed;
    private static Seen<Long> attemptsOfAcked;
    private static Seen<Long> attemptsOfUnacked;

    /** All jobs at once: each waits until the broker hands its backlog to a new client. */
    @BeforeAll
    static void startAllJobs() throws Exception {
        crashed = new Seen<>();
        attemptsOfAcked = new Seen<>();
        attemptsOfUnacked = new Seen<>();
        ofTenths = new Job(new EveryTenthIsNothing());
        ofTenths.source.setInvisibleDuration(Duration.ofMinutes(2));
        ofThirds = new Job(new ThreeOfEach());
        ofAcked = new Job(new FailsTwice("4", attemptsOfAcked));
        ofUnacked = new Job(new FailsTwice("3", attemptsOfUnacked));
        ofAcked.source
                .setInvisibleDuration(Duration.ofSeconds(60))
                .setDeserializationFailurePolicy(DeserializationFailurePolicy.RETRY_LATER)
                .setDeserializationRetryDelay(Duration.ofSeconds(3));
        ofUnacked
                .source
                .setInvisibleDuration(Duration.ofSeconds(10))
                .setDeserializationFailurePolicy(DeserializationFailurePolicy.RETRY_LATER)
                .setDeserializationRetryDelay(Duration.ofSeconds(2));
        for (int i = 0; i < 10; i++) {
            ofAcked.fixture.send("one", String.valueOf(i));
            ofUnacked.fixture.send("one", String.valueOf(i));
        }
        ofTenths.fixture.sendMany("one", TENTHS);
        ofThirds.fixture.sendMany("one", THIRDS);
        ofAcked.start(new AckAndNote(ofAcked.seen));
        ofUnacked.start(new NoteOnly(ofUnacked.seen));
        ofThirds.start(new LastFirstThenCrash(ofThirds.seen, crashed, THIRDS));
        ofTenths.start(new AckAndNote(ofTenths.seen, ORDER_TIMEOUT));
    }

    @AfterAll
    static void endAllJobs() throws Exception {
        for (AutoCloseable open :
                Arrays.asList(
                        ofTenths,
                        ofThirds,
                        ofAcked,
                        ofUnacked,
                        crashed,
                        attemptsOfAcked,
                        attemptsOfUnacked)) {
            if (open != null) {
                open.close();
            }
        }
    }

    @Test
    void noAckWaitsForItsPlaceThoughEveryTenthMessageOfALiteTopicHasNoRecord() {
        await().atMost(LIMIT).until(() -> ofTenths.fixture.backlog() == 0);
        List<Note> acked = ofTenths.seen.items();
        assertThat(ofTenths.fixture.stored()).isEqualTo(TENTHS);
        assertThat(acked.stream().map(n -> n.value).distinct()).hasSize(TENTHS * 9 / 10);
        assertThat(acked).allMatch(n -> n.outcome == AckOutcome.SETTLED);
        long worst = acked.stream().mapToLong(n -> n.millis).max().orElse(-1);
        System.out.println("from an ack to its answer, worst of 2,880: " + worst + " ms");
        // an ack that waits for its place in vain is answered after the order timeout
        assertThat(worst).isBetween(0L, ORDER_TIMEOUT.toMillis() - 1);
    }

    @Test
    void nothingIsLostWhenTheLastOfThreeRecordsIsFinishedFirstAndThenTheJobCrashes() {
        await().atMost(LIMIT).until(() -> crashed.size() == 1);
        await().atMost(LIMIT).until(() -> ofThirds.fixture.backlog() == 0);

        // noted are only records that were acked after the crash
        assertThat(
                        ofThirds.seen.items().stream()
                                .filter(n -> n.outcome == AckOutcome.SETTLED)
                                .map(n -> n.value)
                                .distinct())
                .hasSize(3 * THIRDS);
    }

    @Test
    void aMessageThatCannotBeReadComesBackAfterTheRetryDelayAndWhatWasAckedBeforeItDoesNot() {
        await().atMost(LIMIT).until(() -> ofAcked.fixture.backlog() == 0);
        List<Long> times = attemptsOfAcked.items();
        System.out.printf(
                "attempts to read after %d and %d ms, retry delay 3,000 ms%n",
                times.get(1) - times.get(0), times.get(2) - times.get(0));
        assertThat(times).hasSize(3);
        // neither at once nor only with the end of the lease
        assertThat(times.get(1) - times.get(0)).isBetween(2_500L, 45_000L);
        assertThat(times.get(2) - times.get(1)).isBetween(2_500L, 45_000L);
        assertThat(ofAcked.seen.items().stream().map(n -> n.value).collect(Collectors.toList()))
                .containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
    }

    @Test
    void aDeferralOfTheRestDoesNotBringBackWhatWasEmittedAndIsNotAcked() {
        await().atMost(LIMIT).until(() -> attemptsOfUnacked.size() >= 2);
        List<Long> times = attemptsOfUnacked.items();
        System.out.printf(
                "nothing acked, lease 10,000 ms: read again after %d ms, retry delay 2,000 ms%n",
                times.get(1) - times.get(0));
        assertThat(times.get(1) - times.get(0)).isGreaterThan(8_000);
    }

    /** A job and what it noted; closing it cancels it. */
    private static final class Job implements AutoCloseable {
        private final Seen<Note> seen = new Seen<>();
        private final LiteTopicFixture fixture = LiteTopicFixture.create();
        private final RocketMQGrpcSourceBuilder<String> source;
        private JobClient client;

        private Job(RocketMQDeserializationSchema<String> schema) throws Exception {
            source =
                    RocketMQGrpcSource.<String>builder()
                            .setConfiguration(fixture.sourceOptions())
                            .setInvisibleDuration(Duration.ofSeconds(10))
                            .setDeserializer(schema);
        }

        private void start(RocketMQAckProcessFunction<String, String> function) throws Exception {
            Configuration options = new Configuration();
            options.setString("restart-strategy.type", "fixed-delay");
            options.setString("restart-strategy.fixed-delay.attempts", "3");
            options.setString("restart-strategy.fixed-delay.delay", "100 ms");
            StreamExecutionEnvironment env =
                    StreamExecutionEnvironment.getExecutionEnvironment(options);
            env.setParallelism(1);
            env.fromSource(source.build(), WatermarkStrategy.noWatermarks(), "source")
                    .process(function)
                    .returns(Types.STRING)
                    .sinkTo(new DiscardingSink<>());
            client = env.executeAsync();
        }

        @Override
        public void close() throws Exception {
            if (client != null) {
                client.cancel().get(60, TimeUnit.SECONDS);
            }
            fixture.close();
            seen.close();
        }
    }

    /** A record that was acked, how that ended and how long it took. */
    private static final class Note implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String value;
        private final AckOutcome outcome;
        private final long millis;

        private Note(String value, AckOutcome outcome, long millis) {
            this.value = value;
            this.outcome = outcome;
            this.millis = millis;
        }
    }

    /** The body; nothing for every tenth. */
    private static final class EveryTenthIsNothing extends StringsSchema {
        private static final long serialVersionUID = 1L;

        @Override
        public void deserialize(RocketMQMessageView message, Collector<String> out) {
            if (Integer.parseInt(text(message)) % 10 != 0) {
                out.collect(text(message));
            }
        }
    }

    /** Three records of each body. */
    private static final class ThreeOfEach extends StringsSchema {
        private static final long serialVersionUID = 1L;

        @Override
        public void deserialize(RocketMQMessageView message, Collector<String> out) {
            for (int part = 0; part < 3; part++) {
                out.collect(text(message) + "/" + part);
            }
        }
    }

    /** The body, but one of them fails twice; notes the times of all attempts to read it. */
    private static final class FailsTwice extends StringsSchema {
        private static final long serialVersionUID = 1L;
        private final String body;
        private final Seen<Long> attempts;

        private FailsTwice(String body, Seen<Long> attempts) {
            this.body = body;
            this.attempts = attempts;
        }

        @Override
        public void deserialize(RocketMQMessageView message, Collector<String> out)
                throws IOException {
            if (text(message).equals(body)) {
                attempts.add(System.nanoTime() / 1_000_000);
                if (attempts.size() <= 2) {
                    throw new IOException("not yet");
                }
            }
            out.collect(text(message));
        }
    }

    /** Strings of the body. */
    private abstract static class StringsSchema implements RocketMQDeserializationSchema<String> {
        private static final long serialVersionUID = 1L;

        static String text(RocketMQMessageView message) {
            return new String(message.getBody(), StandardCharsets.UTF_8);
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }

    /** Acks each record and notes the answer. */
    private static class AckAndNote extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<Note> seen;

        private AckAndNote(Seen<Note> seen) {
            this(seen, RocketMQGrpcAckOptions.ORDER_TIMEOUT.defaultValue());
        }

        private AckAndNote(Seen<Note> seen, Duration orderTimeout) {
            super(new Configuration().set(RocketMQGrpcAckOptions.ORDER_TIMEOUT, orderTimeout));
            this.seen = seen;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            ackAndNote(message);
        }

        final void ackAndNote(AckableMessage<String> message) {
            long begun = System.nanoTime();
            ack(message)
                    .thenAccept(
                            outcome ->
                                    seen.add(
                                            new Note(
                                                    message.getValue(),
                                                    outcome,
                                                    (System.nanoTime() - begun) / 1_000_000)));
        }
    }

    /** Acks nothing. */
    private static final class NoteOnly extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<Note> seen;

        private NoteOnly(Seen<Note> seen) {
            this.seen = seen;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            seen.add(new Note(message.getValue(), null, 0));
        }
    }

    /** Until it crashes it never acks the first part; afterwards it acks every part. */
    private static final class LastFirstThenCrash extends AckAndNote {
        private static final long serialVersionUID = 1L;
        private final Seen<Boolean> crashed;
        private final int messages;
        private transient AckableMessage<String> second;
        private transient int complete;

        private LastFirstThenCrash(Seen<Note> seen, Seen<Boolean> crashed, int messages) {
            super(seen);
            this.crashed = crashed;
            this.messages = messages;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            if (crashed.size() > 0) {
                ackAndNote(message);
                return;
            }
            int part = message.getReceiptHandle().getPart();
            if (part == 1) {
                second = message;
            }
            if (part == 2) {
                ack(message);
                ack(second);
                complete++;
            }
            if (complete == messages) {
                crashed.add(true);
                throw new IllegalStateException("crash before the first parts are acked");
            }
        }
    }
}
