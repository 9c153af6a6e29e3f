/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReceiveWorkerTest {

    private static final int ROOM = 32;

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final ManualTimer timer = new ManualTimer();
    private final ManualClock clock = new ManualClock();
    private final CountedMetrics counted = new CountedMetrics();
    private final FakeHost host = new FakeHost();
    private final QueueBudget budget = new QueueBudget(4 << 20, () -> WaitingTimes.ANY);
    private final ReceiveWorker worker = newWorker();

    @BeforeEach
    void knowTheSizeOfMessages() {
        budget.settle(budget.reserve(8), 8, 800);
        for (int i = 0; i < 8; i++) {
            budget.giveBack(100);
        }
    }

    @Test
    void keepsExactlyOnePollGoing() {
        worker.pollIfRoom();
        worker.pollIfRoom();

        assertThat(consumer.openPoll().maxMessages()).isEqualTo(ROOM);
        consumer.openPoll().answers(Messages.delivery("a", 3));
        assertThat(host.delivered).hasSize(3);
        assertThat(consumer.openPoll().maxMessages()).isEqualTo(ROOM - 3);
    }

    @Test
    void asksForNoMoreThanItHasRoomFor() {
        worker.pollIfRoom();
        consumer.openPoll().answers(Messages.delivery("a", ROOM));

        assertThat(consumer.openPolls()).isEmpty();
        giveBack(15);
        assertThat(consumer.openPolls()).isEmpty();
        giveBack(1);
        assertThat(consumer.openPoll().maxMessages()).isEqualTo(16);
    }

    @Test
    void waitingAndAskedForNeverExceedTheRoom() {
        worker.pollIfRoom();
        for (int round = 0; round < 50; round++) {
            int asked = consumer.openPolls().isEmpty() ? 0 : consumer.openPoll().maxMessages();
            assertThat(budget.waitingMessages() + asked).isLessThanOrEqualTo(ROOM);
            if (asked > 0) {
                consumer.openPoll().answers(Messages.delivery("a", 1 + round % asked));
            }
            giveBack(Math.min(host.delivered.size(), 1 + round % 7));
        }
        assertThat(consumer.polls().size()).isGreaterThan(10);
    }

    @Test
    void pollsAgainWhenBytesOfAnotherWorkerAreGivenBack() {
        ReceiveWorker other = newWorker();
        host.all.add(worker);
        other.pollIfRoom();
        consumer.openPoll().answers(Messages.ofSize("big", 5 << 20));
        worker.pollIfRoom();
        assertThat(consumer.openPolls()).isEmpty();
        giveBack(1);

        assertThat(consumer.openPolls()).hasSize(2);
    }

    @Test
    void doesNotPollWhileTheHostSaysNo() {
        host.open = false;
        worker.pollIfRoom();
        assertThat(consumer.polls()).isEmpty();
        host.open = true;
        worker.pollIfRoom();

        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void transientFailuresBackOffAndASuccessResetsThem() {
        // case 25
        worker.pollIfRoom();
        for (String code : new String[] {"UNAVAILABLE", "UNAVAILABLE", "UNAVAILABLE"}) {
            consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, code));
            timer.runNext();
        }
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "TOO_MANY_REQUESTS"));
        timer.runNext();
        consumer.openPoll().fails(new IllegalStateException("a fault of the client"));
        timer.runNext();
        consumer.openPoll().answers(Messages.delivery("a", 1));
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));

        assertThat(timer.delays().stream().map(Duration::toMillis).collect(Collectors.toList()))
                .containsExactly(100L, 200L, 400L, 800L, 1600L, 100L);
        assertThat(counted.count("receiveErrors")).isEqualTo(6);
        assertThat(host.failures).isEmpty();
    }

    @Test
    void doesNotPollDuringABackoff() {
        worker.pollIfRoom();
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        worker.pollIfRoom();

        assertThat(consumer.openPolls()).isEmpty();
    }

    @Test
    void aBrokerThatIsBackIsPolledAtOnceAndThePauseThatWasCutEndsNoLaterOne() {
        worker.pollIfRoom();
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        worker.revive();
        consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        timer.runNext();
        assertThat(consumer.openPolls()).isEmpty();
        timer.runNext();

        assertThat(consumer.openPolls()).hasSize(1);
        assertThat(timer.delays().stream().map(Duration::toMillis).collect(Collectors.toList()))
                .containsExactly(100L, 200L);
    }

    @Test
    void aFatalFailureEndsReceiving() {
        // beside case 25
        worker.pollIfRoom();
        consumer.openPoll().fails(Messages.failure(ErrorKind.FATAL, "UNAUTHORIZED"));
        worker.pollIfRoom();

        assertThat(host.failures).hasSize(1);
        assertThat(host.failures.get(0)).hasMessageContaining("UNAUTHORIZED");
        assertThat(consumer.openPolls()).isEmpty();
        assertThat(timer.pending()).isZero();
    }

    @Test
    void anErrorOfTheJvmEndsReceiving() {
        worker.pollIfRoom();
        consumer.openPoll().fails(new NoClassDefFoundError("gone"));

        assertThat(host.failures).hasSize(1);
    }

    @Test
    void aConsumerThatThrowsEndsReceiving() {
        // beside case 25
        consumer.onPoll(
                poll -> {
                    throw new IllegalStateException("closed");
                });
        worker.pollIfRoom();

        assertThat(host.failures).hasSize(1);
        assertThat(host.failures.get(0)).hasMessage("closed");
    }

    @Test
    void anExceptionWhileHandingOnEndsReceiving() {
        // beside case 25
        host.refuseDelivery = true;
        worker.pollIfRoom();
        consumer.openPoll().answers(Messages.delivery("a", 1));

        assertThat(host.failures).hasSize(1);
        assertThat(host.failures.get(0)).hasMessage("refused");
    }

    @Test
    void failuresAfterTheEndMeanNothing() {
        worker.pollIfRoom();
        host.closed = true;
        consumer.openPoll().fails(Messages.failure(ErrorKind.FATAL, "CANCELLED"));

        assertThat(host.failures).isEmpty();
        assertThat(counted.count("receiveErrors")).isZero();
        assertThat(timer.pending()).isZero();
    }

    @Test
    void emptyAnswersAtOnceNeverBecomeAHotLoop() {
        // case 23
        consumer.onPoll(poll -> poll.answers());
        worker.pollIfRoom();
        for (int i = 0; i < 99; i++) {
            clock.advanceTime(timer.lastDelay());
            timer.runNext();
        }

        double seconds = clock.relativeTimeMillis() / 1000.0;
        assertThat(consumer.polls().size() / seconds).isLessThan(10);
        assertThat(counted.count("emptyPolls")).isEqualTo(consumer.polls().size());
    }

    @Test
    void anEmptyLongPollIsFollowedAtOnce() {
        worker.pollIfRoom();
        clock.advanceTime(Duration.ofSeconds(20));
        consumer.openPoll().answers();

        assertThat(consumer.openPolls()).hasSize(1);
        assertThat(timer.delays()).isEmpty();
    }

    @Test
    void retiredItHandsOnWhatItsLastPollBringsAndPollsNoMore() {
        worker.pollIfRoom();
        worker.retire();
        assertThat(worker.isDone()).isFalse();
        consumer.openPoll().answers(Messages.delivery("a", 2));

        assertThat(host.delivered).hasSize(2);
        assertThat(consumer.openPolls()).isEmpty();
        assertThat(worker.isDone()).isTrue();
        worker.revive();
        assertThat(consumer.openPolls()).hasSize(1);
    }

    private void giveBack(int count) {
        for (int i = 0; i < count; i++) {
            host.delivered.remove(0).giveBackRoom();
        }
    }

    private ReceiveWorker newWorker() {
        return new ReceiveWorker(
                "broker-a",
                ROOM,
                host,
                budget,
                new PollPacing(() -> 0.5),
                clock,
                new SourceMetrics(counted.group()));
    }

    /** A reader around the worker. */
    private final class FakeHost implements ReceiveWorker.Host {
        private final List<QueuedMessage> delivered = new ArrayList<>();
        private final List<QueuedMessage> left = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();
        private final List<ReceiveWorker> all = new ArrayList<>();
        private boolean open = true;
        private boolean closed;
        private boolean refuseDelivery;

        @Override
        public CompletableFuture<List<LiteMessage>> receive(String broker, int messages) {
            return consumer.receive(broker, messages);
        }

        @Override
        public boolean mayPoll() {
            return open && !closed;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public Duration invisibleDuration() {
            return Duration.ofSeconds(60);
        }

        @Override
        public void left(QueuedMessage message) {
            left.add(message);
        }

        @Override
        public void deliver(List<QueuedMessage> messages) {
            if (refuseDelivery) {
                throw new IllegalStateException("refused");
            }
            delivered.addAll(messages);
        }

        @Override
        public void fail(String broker, Throwable failure) {
            failures.add(failure);
        }

        @Override
        public void after(Duration delay, Runnable action) {
            timer.after(delay, action);
        }

        @Override
        public void pollAll() {
            all.forEach(ReceiveWorker::pollIfRoom);
        }
    }
}
