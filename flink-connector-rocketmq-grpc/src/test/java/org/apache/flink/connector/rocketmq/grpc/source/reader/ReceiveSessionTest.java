/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ReceiveSessionTest {

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a", "broker-b");
    private final ManualTimer timer = new ManualTimer();
    private final CountedMetrics counted = new CountedMetrics();
    private final ManualClock clock =
            new ManualClock(TimeUnit.MILLISECONDS.toNanos(Messages.BORN + 500));
    private final ReceiveSession session = newSession(32, 2);

    @Test
    void everyReadableBrokerIsPolledByEveryWorkerAsSoonAsTheStartCompletes() {
        session.start();
        assertThat(consumer.polls()).isEmpty();
        consumer.startSucceeds();

        assertThat(consumer.openPolls("broker-a")).hasSize(2);
        assertThat(consumer.openPolls("broker-b")).hasSize(2);
    }

    @Test
    void followsTheRoute() throws IOException {
        // beside case 31
        started();
        consumer.changeBrokers("broker-b", "broker-c");
        consumer.openPolls("broker-a").forEach(p -> p.answers(Messages.delivery("late", 1)));

        assertThat(consumer.openPolls("broker-a")).isEmpty();
        assertThat(consumer.openPolls("broker-b")).hasSize(2);
        assertThat(consumer.openPolls("broker-c")).hasSize(2);
        assertThat(session.take()).hasSize(2);
        consumer.changeBrokers("broker-a", "broker-b", "broker-c");
        assertThat(consumer.openPolls("broker-a")).hasSize(2);
        assertThat(consumer.openPolls("broker-b")).hasSize(2);
    }

    @Test
    void aBrokerThatComesBackBeforeItsLastPollEndsIsNotPolledTwice() {
        started();
        consumer.changeBrokers("broker-b");
        consumer.changeBrokers("broker-a", "broker-b");

        assertThat(consumer.openPolls("broker-a")).hasSize(2);
    }

    @Test
    void theQueueIsBoundedByPollsTimesBrokers() throws IOException {
        started();
        for (int round = 0; round < 10; round++) {
            for (ScriptedConsumer.Poll poll : consumer.openPolls()) {
                poll.answers(Messages.delivery("hot", poll.maxMessages()));
            }
        }

        assertThat(consumer.openPolls()).isEmpty();
        assertThat(counted.gauge("queuedMessages")).isLessThanOrEqualTo(32 * 2 * 2);
        List<QueuedMessage> taken = session.take();
        assertThat(taken).hasSize((int) counted.gauge("queuedMessages"));
        taken.forEach(QueuedMessage::giveBackRoom);
        assertThat(counted.gauge("queuedMessages")).isZero();
        assertThat(counted.gauge("queuedBytes")).isZero();
        assertThat(consumer.openPolls()).hasSize(4);
    }

    @Test
    void messagesThatOnlyWereFetchedStillTakeTheirRoom() throws IOException {
        ReceiveSession small = newSession(1, 1);
        small.start();
        consumer.startSucceeds();
        consumer.openPolls().forEach(p -> p.answers(Messages.delivery("a", 1)));
        List<QueuedMessage> fetched = small.take();

        assertThat(consumer.openPolls()).isEmpty();
        fetched.get(0).giveBackRoom();
        fetched.get(0).giveBackRoom();
        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void pausedItPollsNoMoreButTakesWhatIsUnderWay() throws IOException {
        started();
        session.pause();
        consumer.openPolls().forEach(p -> p.answers(Messages.delivery("a", 1)));

        assertThat(session.take()).hasSize(4);
        assertThat(consumer.openPolls()).isEmpty();
        session.resume();
        assertThat(consumer.openPolls()).hasSize(4);
        assertThat(consumer.closes()).isZero();
    }

    @Test
    void aFailedStartNamesTopicGroupEndpointCodeAndRepair() {
        // case 32
        session.start();
        consumer.startFails(Messages.failure(ErrorKind.FATAL, "TOPIC_NOT_FOUND"));

        assertThatThrownBy(session::take)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "receiving failed, topic LiteMainTopic, group GID-lite, endpoints"
                                + " 127.0.0.1:8081, code TOPIC_NOT_FOUND: said the server:"
                                + " TOPIC_NOT_FOUND");
        assertThatThrownBy(session::take).isInstanceOf(IOException.class);
    }

    @Test
    void aStartThatNeverEndsFailsAfterItsLimit() {
        // beside case 32
        session.start();
        assertThat(timer.lastDelay()).isEqualTo(ReceiveSession.START_LIMIT);
        timer.runNext();

        assertThatThrownBy(session::take).hasMessageEndingWith("no answer for 12 s");
    }

    @Test
    void aStartThatEndedIsNotTimedOut() throws IOException {
        started();
        timer.runNext();
        session.wakeUp();

        assertThat(session.take()).isEmpty();
    }

    @Test
    void aFatalReceiveErrorNamesTheBroker() {
        started();
        consumer.openPolls("broker-b")
                .get(0)
                .fails(Messages.failure(ErrorKind.FATAL, "UNAUTHORIZED"));

        assertThatThrownBy(session::take)
                .hasMessageContaining("topic LiteMainTopic, group GID-lite")
                .hasMessageContaining("broker broker-b, code UNAUTHORIZED");
    }

    @Test
    void laterFailuresAreSuppressedInTheFirst() {
        started();
        for (ScriptedConsumer.Poll poll : consumer.openPolls()) {
            poll.fails(Messages.failure(ErrorKind.FATAL, "FORBIDDEN"));
        }

        assertThatThrownBy(session::take)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(3));
    }

    @Test
    void interruptedItLeavesWithTheFlagRestored() {
        started();
        Thread.currentThread().interrupt();

        assertThatThrownBy(session::take).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closingEndsPollsTimerAndConsumerOnce() throws IOException {
        started();
        session.close();
        session.close();
        consumer.openPolls().forEach(p -> p.fails(Messages.failure(ErrorKind.FATAL, "CANCELLED")));

        assertThat(consumer.closes()).isEqualTo(1);
        assertThat(timer.isClosed()).isTrue();
        assertThat(consumer.openPolls()).isEmpty();
        assertThat(session.take()).isEmpty();
    }

    @Test
    void closingBeforeTheStartLeavesNothingOpen() {
        session.close();
        session.start();

        assertThat(consumer.closes()).isEqualTo(1);
        assertThat(consumer.polls()).isEmpty();
    }

    @Test
    void metricsCountWhatArrives() {
        started();
        consumer.openPolls().get(0).answers(Messages.delivery("a", 3));

        assertThat(counted.count("received")).isEqualTo(3);
        assertThat(counted.gauge("currentFetchEventTimeLag")).isEqualTo(498);
        assertThat(counted.gauge("queuedMessages")).isEqualTo(3);
        assertThat(counted.gauge("queuedBytes")).isEqualTo(9);
    }

    @Test
    void aThousandLiteTopicsAddNoMetric() throws IOException {
        // beside case 60
        started();
        int before = counted.all().size();
        for (int i = 0; i < 1000; i++) {
            consumer.openPolls().get(0).answers(Messages.delivery("lite-" + i, 1));
            session.take().forEach(QueuedMessage::giveBackRoom);
        }

        assertThat(counted.all()).hasSize(before);
        assertThat(counted.count("received")).isEqualTo(1000);
    }

    @Test
    void deliveriesOfOneAnswerStayInOnePieceAndInOrder() throws IOException {
        started();
        consumer.openPolls()
                .get(0)
                .answers(
                        Messages.message("a", 0).build(),
                        Messages.message("b", 0).build(),
                        Messages.message("a", 1).build());

        List<QueuedMessage> taken = session.take();
        assertThat(taken.stream().map(m -> m.message().messageId()).collect(Collectors.toList()))
                .containsExactly("a-0", "a-1", "b-0");
        assertThat(taken.stream().map(QueuedMessage::isFirst).collect(Collectors.toList()))
                .containsExactly(true, false, true);
        assertThat(taken.stream().map(QueuedMessage::isLast).collect(Collectors.toList()))
                .containsExactly(false, true, true);
    }

    @Test
    void aPollThatWasBegunBeforeTheCloseAndIsSentAfterItDoesNotReachTheServer() {
        started();
        int before = consumer.polls().size();
        session.close();

        assertThat(session.receive("broker-a", 1)).isCompletedExceptionally();
        assertThat(consumer.polls()).hasSize(before);
    }

    private void started() {
        session.start();
        consumer.startSucceeds();
    }

    private ReceiveSession newSession(int maxMessageNum, int fetchConcurrency) {
        return new ReceiveSession(
                Configs.config(maxMessageNum, fetchConcurrency),
                config -> consumer,
                Optional.empty(),
                new SourceMetrics(counted.group()),
                timer,
                clock);
    }
}
