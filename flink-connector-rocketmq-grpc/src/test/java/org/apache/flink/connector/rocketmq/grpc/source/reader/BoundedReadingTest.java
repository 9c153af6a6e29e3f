/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a bounded reader ends: 3 s of idleness here. */
@Timeout(60)
class BoundedReadingTest {

    private static final Duration GRACE_AND_IDLE = Duration.ofSeconds(23);

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final ManualClock clock = new ManualClock();
    private final ManualTimer timer = new ManualTimer();
    private final SourceConfig config =
            SourceConfig.from(
                    Configs.options()
                            .set(RocketMQGrpcSourceOptions.BOUNDED_BY_IDLE, Duration.ofSeconds(3)));
    private final SourceMetrics metrics = new SourceMetrics(new CountedMetrics().group());
    private final ReceiveSession session =
            new ReceiveSession(config, c -> consumer, Optional.empty(), metrics, timer, clock);
    private final LiteSplitReader reader = new LiteSplitReader(session);

    @Test
    void anEmptyTopicEndsTheSplitTwentySecondsAndTheIdleTimeAfterTheJoin() throws IOException {
        // beside case 66
        receiving();
        clock.advanceTime(GRACE_AND_IDLE.minusMillis(1));
        assertThat(session.isOver()).isFalse();
        clock.advanceTime(Duration.ofMillis(1));

        assertThat(fetched().finishedSplits()).containsExactly("subtask-0");
    }

    @Test
    void theTimerWakesTheFetcherWhenTheTimeHasCome() throws IOException {
        receiving();
        clock.advanceTime(GRACE_AND_IDLE);
        while (timer.pending() > 1) {
            timer.runNext();
        }
        timer.runNext();

        assertThat(reader.fetch().finishedSplits()).containsExactly("subtask-0");
        assertThat(timer.pending()).isEqualTo(1);
    }

    @Test
    void theTimeCountsFromTheJoinNotFromTheFirstAttempt() {
        reader.handleSplitsChanges(new SplitsAddition<>(split()));
        clock.advanceTime(Duration.ofSeconds(8));
        consumer.startSucceeds();
        clock.advanceTime(Duration.ofSeconds(22));
        assertThat(session.isOver()).isFalse();
        clock.advanceTime(Duration.ofSeconds(1));

        assertThat(session.isOver()).isTrue();
    }

    @Test
    void aMessageBeginsTheTimeAnewAndOneThatWaitsHoldsTheEndOff() throws IOException {
        receiving();
        clock.advanceTime(GRACE_AND_IDLE.minusSeconds(1));
        consumer.openPoll().answers(Messages.delivery("a", 1));
        clock.advanceTime(Duration.ofMinutes(1));
        assertThat(session.isOver()).isFalse();

        RecordsWithSplitIds<QueuedMessage> fetched = reader.fetch();
        fetched.nextSplit();
        fetched.nextRecordFromSplit().giveBackRoom();
        assertThat(fetched.finishedSplits()).isEmpty();
        assertThat(session.isOver()).isTrue();
    }

    @Test
    void aLeaseThatWasHandedOnHoldsTheEndOff() {
        receiving();
        clock.advanceTime(GRACE_AND_IDLE);
        session.busyUntil(clock.absoluteTimeMillis() + 60_000);
        clock.advanceTime(Duration.ofSeconds(62));
        assertThat(session.isOver()).isFalse();
        clock.advanceTime(Duration.ofSeconds(1));

        assertThat(session.isOver()).isTrue();
    }

    @Test
    void whatWasLostBecauseItsLeaseEndedIsWaitedFor() throws IOException {
        receiving();
        long leaseEnd = clock.absoluteTimeMillis() + 60_000;
        List<QueuedMessage> taken = arrived(leased("a", 0, leaseEnd));
        clock.advanceTime(Duration.ofSeconds(61));
        MessageEmitter<String> emitter = emitter();
        emitter.emitRecord(taken.get(0), new CollectedOutput<>(), new PlaceholderSplit(0));

        endsIn(Duration.ofSeconds(3));
    }

    @Test
    void whatTheSourceCouldNotAckIsWaitedForUntilItsLeaseEnds() throws IOException {
        receiving();
        long leaseEnd = clock.absoluteTimeMillis() + 60_000;
        CompletableFuture<List<AckResult>> answer = new CompletableFuture<>();
        acker(answer).ack(arrived(leased("a", 0, leaseEnd)));
        clock.advanceTime(Duration.ofSeconds(40));
        answer.completeExceptionally(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));

        endsIn(Duration.ofSeconds(23));
    }

    @Test
    void whatFollowsADeliveryThatTheSourceAckedIsWaitedFor() throws IOException {
        receiving();
        CompletableFuture<List<AckResult>> answer = new CompletableFuture<>();
        List<QueuedMessage> taken = arrived(leased("a", 0, clock.absoluteTimeMillis() + 60_000));
        acker(answer).ack(taken);
        clock.advanceTime(Duration.ofSeconds(40));
        LiteMessage message = taken.get(0).message();
        answer.complete(
                Collections.singletonList(
                        AckResult.ok(
                                new AckEntry(
                                        Messages.TOPIC,
                                        message.liteTopic(),
                                        message.messageId(),
                                        message.receiptHandle()))));

        endsIn(Duration.ofSeconds(3));
    }

    @Test
    void aDeferralOfWhatCannotBeReadCountsFromItsAnswerAndOneThatFailsUntilTheLeaseEnds()
            throws IOException {
        receiving();
        long leaseEnd = clock.absoluteTimeMillis() + 60_000;
        List<QueuedMessage> taken =
                arrived(leased("a", 0, leaseEnd), leased("a", 1, leaseEnd + 5_000));
        CompletableFuture<String> answer = new CompletableFuture<>();
        postponement(answer).first(taken.get(0), clock.absoluteTimeMillis());
        clock.advanceTime(Duration.ofSeconds(25));
        answer.complete("deferred");
        taken.get(1).giveBackRoom();
        endsIn(Duration.ofSeconds(33));

        taken = arrived(leased("b", 0, clock.absoluteTimeMillis() + 60_000));
        CompletableFuture<String> failing = new CompletableFuture<>();
        postponement(failing).first(taken.get(0), clock.absoluteTimeMillis());
        clock.advanceTime(Duration.ofSeconds(10));
        failing.completeExceptionally(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        endsIn(Duration.ofSeconds(53));
    }

    @Test
    void whenTheDeferralOfADeliveryFailsTheLastOfItsLeasesCounts() throws IOException {
        receiving();
        long leaseEnd = clock.absoluteTimeMillis() + 60_000;
        List<QueuedMessage> taken =
                arrived(leased("a", 0, leaseEnd), leased("a", 1, leaseEnd + 20_000));
        CompletableFuture<String> failing = new CompletableFuture<>();
        Postponement postponement = postponement(failing);
        postponement.first(taken.get(0), clock.absoluteTimeMillis());
        failing.completeExceptionally(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        postponement.other(taken.get(1), clock.absoluteTimeMillis());

        endsIn(Duration.ofSeconds(83));
    }

    @Test
    void aRenewalOfUnknownOutcomeIsWaitedForThoughTheMessageWasEmittedMeanwhile()
            throws IOException {
        receiving();
        List<QueuedMessage> taken = arrived(leased("a", 0, clock.absoluteTimeMillis() + 60_000));
        consumer.onChange(change -> {});
        clock.advanceTime(Duration.ofSeconds(50));
        session.renew(taken.get(0).message(), Duration.ofSeconds(60));
        emitter().emitRecord(taken.get(0), new CollectedOutput<>(), new PlaceholderSplit(0));
        clock.advanceTime(Duration.ofSeconds(5));
        consumer.changes().get(0).fails(Messages.failure(ErrorKind.TRANSIENT, "REQUEST_TIMEOUT"));

        endsIn(Duration.ofSeconds(63));
    }

    /** Not a millisecond before. */
    private void endsIn(Duration duration) {
        clock.advanceTime(duration.minusMillis(1));
        assertThat(session.isOver()).isFalse();
        clock.advanceTime(Duration.ofMillis(1));
        assertThat(session.isOver()).isTrue();
    }

    private static LiteMessage leased(String liteTopic, long offset, long leaseEnd) {
        return Messages.message(liteTopic, offset).leaseEndMillis(leaseEnd).build();
    }

    /** One delivery arrives when the grace after the join is over. */
    private List<QueuedMessage> arrived(LiteMessage... messages) throws IOException {
        consumer.openPoll().answers(Arrays.asList(messages));
        return session.take();
    }

    private SourceAcker acker(CompletableFuture<List<AckResult>> answer) {
        return new SourceAcker(config, entries -> answer, session::busyUntil, clock, metrics);
    }

    private Postponement postponement(CompletableFuture<String> answer) {
        return new Postponement(
                config,
                (entry, duration, suspend) -> answer,
                session::busyUntil,
                clock,
                metrics,
                true);
    }

    private MessageEmitter<String> emitter() {
        return new MessageEmitter<>(
                config,
                new Deserializer<>(
                        Messages.TOPIC,
                        RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema())),
                acker(new CompletableFuture<>()),
                session::changeInvisibleDuration,
                session::busyUntil,
                metrics,
                clock);
    }

    @Test
    void aPollThatFailsBeginsTheTimeAnew() {
        receiving();
        clock.advanceTime(GRACE_AND_IDLE);
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        clock.advanceTime(GRACE_AND_IDLE.minusSeconds(1));
        assertThat(session.isOver()).isFalse();
        clock.advanceTime(Duration.ofSeconds(1));

        assertThat(session.isOver()).isTrue();
    }

    @Test
    void aPausedReaderDoesNotEnd() {
        receiving();
        session.pause();
        clock.advanceTime(Duration.ofMinutes(5));
        assertThat(session.isOver()).isFalse();
        session.resume();
        assertThat(session.isOver()).isFalse();
        clock.advanceTime(GRACE_AND_IDLE);

        assertThat(session.isOver()).isTrue();
    }

    private void receiving() {
        reader.handleSplitsChanges(new SplitsAddition<>(split()));
        consumer.startSucceeds();
    }

    private RecordsWithSplitIds<QueuedMessage> fetched() throws IOException {
        reader.wakeUp();
        return reader.fetch();
    }

    private static List<PlaceholderSplit> split() {
        return Collections.singletonList(new PlaceholderSplit(0));
    }
}
