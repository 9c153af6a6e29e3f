/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.reader.CountedMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.reader.Messages;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;

/** Invisible for 60 s, renewed 5 s before, at ticks of 1 s; at most 10 minutes. */
class LeaseRenewerTest {

    private static final Duration INVISIBLE = Duration.ofSeconds(60);

    private final ManualClock clock = new ManualClock();
    private final CountedMetrics counted = new CountedMetrics();
    private final FakeHost host = new FakeHost();
    private final List<WaitingMessage> asked = new ArrayList<>();
    private Duration policySays = INVISIBLE;
    private final LeaseRenewer renewer =
            new LeaseRenewer(
                    message -> {
                        asked.add(message);
                        return policySays;
                    },
                    config(),
                    host,
                    clock,
                    new SourceMetrics(counted.group()));

    @Test
    void aWaitingMessageIsRenewedPlainlyAheadOfItsEnd() {
        WaitingLease lease = arrived("a", 0);
        pass(53);
        assertThat(host.calls).isEmpty();
        pass(2);

        assertThat(host.calls).hasSize(1);
        assertThat(host.calls.get(0).duration).isEqualTo(INVISIBLE);
        assertThat(host.calls.get(0).message.receiptHandle()).isEqualTo("handle-a-0");
        long asked = millis();
        host.calls.get(0).answer.complete("handle-2");
        assertThat(lease.message().receiptHandle()).isEqualTo("handle-2");
        assertThat(lease.message().leaseEndMillis()).isBetween(asked + 59_000, asked + 60_000);
        assertThat(counted.count("renewals")).isEqualTo(1);
    }

    @Test
    void itIsRenewedAgainAndAgainEachTimeWithTheNewestHandle() {
        arrived("a", 0);
        host.answersAtOnce = true;
        pass(300);

        assertThat(host.handles())
                .containsExactly(
                        "handle-a-0",
                        "handle-a-0+",
                        "handle-a-0++",
                        "handle-a-0+++",
                        "handle-a-0++++");
    }

    @Test
    void thePolicySeesWhatIsKnownOfTheMessage() {
        arrived("a", 3);
        host.answersAtOnce = true;
        pass(110);

        assertThat(asked).hasSize(2);
        WaitingMessage second = asked.get(1);
        assertThat(second.getLiteTopic()).isEqualTo("a");
        assertThat(second.getMessageId()).isEqualTo("a-3");
        assertThat(second.getDeliveryAttempt()).isEqualTo(1);
        assertThat(second.getBornTimestamp()).isEqualTo(Messages.BORN + 3);
        assertThat(second.getRenewals()).isEqualTo(1);
        assertThat(second.getWaited()).isBetween(Duration.ofSeconds(107), Duration.ofSeconds(110));
        assertThat(second.getTotalSoFar())
                .isBetween(Duration.ofSeconds(113), Duration.ofSeconds(115));
    }

    @Test
    void noLeaseEndsLaterThanTheCap() {
        WaitingLease lease = arrived("a", 0);
        long arrived = millis();
        host.answersAtOnce = true;
        pass(1200);

        assertThat(lease.message().leaseEndMillis())
                .isEqualTo(arrived + Duration.ofMinutes(10).toMillis());
        assertThat(host.calls).hasSize(10);
        assertThat(renewer.size()).isZero();
    }

    @Test
    void aPolicyThatSaysNoIsNotAskedAgain() {
        policySays = null;
        arrived("a", 0);
        pass(120);

        assertThat(asked).hasSize(1);
        assertThat(host.calls).isEmpty();
        assertThat(renewer.size()).isZero();
    }

    @Test
    void aPolicyThatSaysTooLittleOrTooMuchFailsTheReader() {
        policySays = Duration.ofSeconds(5);
        arrived("a", 0);
        pass(56);
        policySays = Duration.ofHours(13);
        renewer.add(Collections.singletonList(lease("b", 0, INVISIBLE)));
        pass(56);

        assertThat(host.calls).isEmpty();
        assertThat(host.failures.get(0))
                .hasMessageContaining("renewal of PT5S for message a-0")
                .hasMessageContaining("more than the renewal-ahead-time of 5000 ms");
    }

    @Test
    void aFailedRenewalKeepsTheOldHandleAndIsTriedAgain() {
        // beside case 2
        WaitingLease lease = arrived("a", 0);
        pass(55);
        host.calls.get(0).fails(ErrorKind.TRANSIENT, "INTERNAL_SERVER_ERROR");
        assertThat(lease.message().receiptHandle()).isEqualTo("handle-a-0");
        assertThat(host.calls).hasSize(1);
        pass(1);

        assertThat(host.handles()).containsExactly("handle-a-0", "handle-a-0");
        host.calls.get(1).answer.complete("handle-2");
        assertThat(lease.message().receiptHandle()).isEqualTo("handle-2");
        assertThat(counted.count("renewalFailures")).isEqualTo(1);
        assertThat(counted.count("renewals")).isEqualTo(1);
        assertThat(host.failures).isEmpty();
    }

    @Test
    void whatKeepsFailingIsGivenUpWhenTheLeaseEnds() {
        arrived("a", 0);
        host.fails = ErrorKind.TRANSIENT;
        pass(600);

        assertThat(host.calls).hasSizeBetween(4, 7);
        assertThat(renewer.size()).isZero();
        assertThat(host.failures).isEmpty();
    }

    @Test
    void aStaleHandleIsNotTriedAgain() {
        arrived("a", 0);
        host.fails = ErrorKind.STALE_HANDLE;
        pass(120);

        assertThat(host.calls).hasSize(1);
        assertThat(renewer.size()).isZero();
        assertThat(host.failures).isEmpty();
    }

    @Test
    void aFatalFailureEndsTheReader() {
        arrived("a", 0);
        host.fails = ErrorKind.FATAL;
        pass(56);

        assertThat(host.failures).isNotEmpty();
        assertThat(host.failures.get(0)).hasMessageContaining("said the server");
    }

    @Test
    void aMessageThatLeftIsNotRenewed() {
        WaitingLease lease = arrived("a", 0);
        renewer.remove(lease);
        pass(120);

        assertThat(host.calls).isEmpty();
        assertThat(renewer.size()).isZero();
    }

    @Test
    void aMessageThatLeavesDuringARenewalKeepsWhatItLeftWith() {
        WaitingLease lease = arrived("a", 0);
        pass(55);
        LiteMessage left = lease.freeze();
        renewer.remove(lease);
        host.calls.get(0).answer.complete("too late");
        pass(120);

        assertThat(left.receiptHandle()).isEqualTo("handle-a-0");
        assertThat(lease.message().receiptHandle()).isEqualTo("handle-a-0");
        assertThat(host.calls).hasSize(1);
        assertThat(renewer.size()).isZero();
    }

    @Test
    void atMostSixtyFourAreUnderWayAndTheOthersFollowTheAnswersWithoutWaitingForATick() {
        List<WaitingLease> leases = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            leases.add(lease("a", i, INVISIBLE));
        }
        renewer.add(leases);
        pass(55);
        assertThat(host.calls).hasSize(LeaseRenewer.MAX_IN_FLIGHT);
        while (host.open() > 0) {
            host.calls.stream()
                    .filter(c -> !c.answer.isDone())
                    .forEach(c -> c.answer.complete("x"));
            host.runDue(clock.relativeTimeNanos());
        }

        assertThat(host.calls).hasSize(200);
        assertThat(host.mostOpen).isEqualTo(LeaseRenewer.MAX_IN_FLIGHT);
        assertThat(counted.count("renewals")).isEqualTo(200);
    }

    @Test
    void theTimerHoldsOneActionHoweverManyMessagesWaitAndNoneWhenNothingDoes() {
        for (int i = 0; i < 1000; i++) {
            arrived("a", i);
        }
        assertThat(host.actions).hasSize(1);
        pass(30);
        assertThat(host.actions).hasSize(1);
        renewer.close();
        pass(2);

        assertThat(host.actions).isEmpty();
    }

    @Test
    void afterTheCloseNothingIsRenewedAndEverythingIsFrozen() {
        WaitingLease lease = arrived("a", 0);
        WaitingLease late = lease("b", 0, INVISIBLE);
        renewer.close();
        renewer.add(Collections.singletonList(late));
        pass(120);

        assertThat(host.calls).isEmpty();
        for (WaitingLease each : Arrays.asList(lease, late)) {
            assertThat(each.begin(message -> new CompletableFuture<>())).isNull();
        }
    }

    private WaitingLease arrived(String liteTopic, int offset) {
        WaitingLease lease = lease(liteTopic, offset, INVISIBLE);
        renewer.add(Collections.singletonList(lease));
        return lease;
    }

    private WaitingLease lease(String liteTopic, int offset, Duration left) {
        return new WaitingLease(
                Messages.message(liteTopic, offset)
                        .leaseEndMillis(millis() + left.toMillis())
                        .build(),
                INVISIBLE);
    }

    private long millis() {
        return clock.absoluteTimeMillis();
    }

    private void pass(int seconds) {
        for (int i = 0; i < 10 * seconds; i++) {
            clock.advanceTime(Duration.ofMillis(100));
            host.runDue(clock.relativeTimeNanos());
        }
    }

    private static SourceConfig config() {
        return SourceConfig.from(
                new Configuration()
                        .set(RocketMQGrpcClientOptions.ENDPOINTS, "127.0.0.1:8081")
                        .set(RocketMQGrpcSourceOptions.MAIN_TOPIC, Messages.TOPIC)
                        .set(RocketMQGrpcSourceOptions.CONSUMER_GROUP, Messages.GROUP)
                        .set(
                                RocketMQGrpcSourceOptions.RENEWAL_MAX_DURATION,
                                Duration.ofMinutes(10)));
    }

    /** A reader with a timer on the manual clock. */
    private final class FakeHost implements LeaseRenewer.Host {
        private final List<Call> calls = new ArrayList<>();
        private final List<Action> actions = new ArrayList<>();
        private final List<Throwable> failures = new ArrayList<>();
        private boolean answersAtOnce;
        private ErrorKind fails;
        private long mostOpen;

        @Override
        public CompletableFuture<String> renew(LiteMessage message, Duration duration) {
            Call call = new Call(message, duration);
            calls.add(call);
            mostOpen = Math.max(mostOpen, open());
            if (answersAtOnce) {
                call.answer.complete(message.receiptHandle() + "+");
            } else if (fails != null) {
                call.fails(fails, "CODE");
            }
            return call.answer;
        }

        @Override
        public void after(Duration delay, Runnable action) {
            actions.add(new Action(clock.relativeTimeNanos() + delay.toNanos(), action));
        }

        @Override
        public void fail(Throwable failure) {
            failures.add(failure);
        }

        long open() {
            return calls.stream().filter(c -> !c.answer.isDone()).count();
        }

        List<String> handles() {
            List<String> handles = new ArrayList<>();
            calls.forEach(c -> handles.add(c.message.receiptHandle()));
            return handles;
        }

        void runDue(long nowNanos) {
            List<Action> due = new ArrayList<>(actions);
            due.removeIf(a -> a.atNanos > nowNanos);
            actions.removeAll(due);
            due.forEach(a -> a.action.run());
        }
    }

    /** Something to do later. */
    private static final class Action {
        private final long atNanos;
        private final Runnable action;

        private Action(long atNanos, Runnable action) {
            this.atNanos = atNanos;
            this.action = action;
        }
    }

    /** One change of an invisible duration. */
    private static final class Call {
        private final LiteMessage message;
        private final Duration duration;
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        private Call(LiteMessage message, Duration duration) {
            this.message = message;
            this.duration = duration;
        }

        private void fails(ErrorKind kind, String code) {
            answer.completeExceptionally(Messages.failure(kind, code));
        }
    }
}
