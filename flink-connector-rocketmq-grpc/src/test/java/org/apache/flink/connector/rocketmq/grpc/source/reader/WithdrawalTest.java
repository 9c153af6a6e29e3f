/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;

/** When a reader without room gives up its subscription: here after 10 s. */
class WithdrawalTest {

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final CountedMetrics counted = new CountedMetrics();
    private final ManualTimer timer = new ManualTimer();
    private final ManualClock clock = new ManualClock();

    @Test
    void aReaderWithoutRoomWithdrawsOnceAndJoinsWithItsNextPoll() throws IOException {
        ReceiveSession session = started(Duration.ofSeconds(10));
        List<QueuedMessage> waiting = filled(session);
        pass(9);
        assertThat(consumer.withdrawals()).isZero();
        pass(2);
        assertThat(consumer.withdrawals()).isEqualTo(1);
        pass(60);
        assertThat(consumer.withdrawals()).isEqualTo(1);
        assertThat(counted.count("withdrawals")).isEqualTo(1);
        waiting.forEach(QueuedMessage::giveBackRoom);

        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void withoutRoomASecondTimeItWithdrawsASecondTime() throws IOException {
        ReceiveSession session = started(Duration.ofSeconds(10));
        List<QueuedMessage> waiting = filled(session);
        pass(12);
        waiting.forEach(QueuedMessage::giveBackRoom);
        filled(session);
        pass(9);
        assertThat(consumer.withdrawals()).isEqualTo(1);
        pass(3);

        assertThat(consumer.withdrawals()).isEqualTo(2);
    }

    @Test
    void aPausedReaderWithdrawsWhenItsPollHasEnded() {
        ReceiveSession session = started(Duration.ofSeconds(10));
        session.pause();
        pass(30);
        assertThat(consumer.withdrawals()).isZero();
        consumer.openPoll().answers();
        pass(12);

        assertThat(consumer.withdrawals()).isEqualTo(1);
        session.resume();
        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void aReaderThatPollsOrWaitsForTheNextAttemptStays() {
        started(Duration.ofSeconds(10));
        pass(60);
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        clock.advanceTime(Duration.ofSeconds(30));

        assertThat(consumer.withdrawals()).isZero();
    }

    @Test
    void nothingIsWithdrawnUnlessAskedFor() throws IOException {
        ReceiveSession session = started(null);
        filled(session);
        pass(600);

        assertThat(consumer.withdrawals()).isZero();
    }

    @Test
    void aClosedReaderWithdrawsNothing() throws IOException {
        ReceiveSession session = started(Duration.ofSeconds(10));
        List<QueuedMessage> waiting = filled(session);
        waiting.forEach(m -> m.delivery().leave());
        session.close();
        pass(60);

        assertThat(consumer.withdrawals()).isZero();
    }

    private ReceiveSession started(Duration withdrawAfter) {
        Configuration options = Configs.options().set(RocketMQGrpcSourceOptions.MAX_MESSAGE_NUM, 4);
        if (withdrawAfter != null) {
            options.set(RocketMQGrpcSourceOptions.WITHDRAW_AFTER, withdrawAfter);
        }
        ReceiveSession session =
                new ReceiveSession(
                        SourceConfig.from(options),
                        c -> consumer,
                        Optional.empty(),
                        new SourceMetrics(counted.group()),
                        timer,
                        clock);
        session.start();
        consumer.startSucceeds();
        return session;
    }

    private List<QueuedMessage> filled(ReceiveSession session) throws IOException {
        consumer.openPoll().answers(Messages.delivery("a", 4));
        assertThat(consumer.openPolls()).isEmpty();
        return new ArrayList<>(session.take());
    }

    /** Time passes; the timer's actions run each second. */
    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.advanceTime(Duration.ofSeconds(1));
            for (int n = timer.pending(); n > 0; n--) {
                timer.runNext();
            }
        }
    }
}
