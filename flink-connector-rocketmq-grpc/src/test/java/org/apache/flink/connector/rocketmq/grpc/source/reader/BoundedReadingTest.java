/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a bounded reader ends: 3 s of idleness here. */
@Timeout(60)
class BoundedReadingTest {

    private static final Duration GRACE_AND_IDLE = Duration.ofSeconds(23);

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final ManualClock clock = new ManualClock();
    private final ManualTimer timer = new ManualTimer();
    private final ReceiveSession session =
            new ReceiveSession(
                    SourceConfig.from(
                            Configs.options()
                                    .set(
                                            RocketMQGrpcSourceOptions.BOUNDED_BY_IDLE,
                                            Duration.ofSeconds(3))),
                    config -> consumer,
                    Optional.empty(),
                    new SourceMetrics(new CountedMetrics().group()),
                    timer,
                    clock);
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
