/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.ack.ScriptedAcknowledger.ChangeRequest;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;

/** When a deferral is sent, for how long, and what is let go for it. */
class DeferralTest {

    private final AckTestBed bed = new AckTestBed();

    @Test
    void theFirstMessageOfADeliveryIsDeferredAtOnceForTheWholeDelivery() {
        CompletableFuture<AckOutcome> deferred = bed.defer("a", 0, 10_000);

        assertThat(deferred).isCompletedWithValue(AckOutcome.SETTLED);
        ChangeRequest request = bed.server.changes.get(0);
        assertThat(request.suspend).isTrue();
        assertThat(request.duration).hasMillis(10_000);
        assertThat(request.entry.receiptHandle()).isEqualTo("r-a0");
        assertThat(bed.stats.deferrals).hasValue(1);
        assertThat(bed.stats.deferralRpcs).hasValue(1);
    }

    @Test
    void aDeferralWaitsUntilEverythingBelowItIsSettledAtTheServer() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        CompletableFuture<AckOutcome> deferred = bed.defer("a", 2, 10_000);
        assertThat(bed.places.availablePermits())
                .as("a parked one takes no place")
                .isEqualTo(999_999);

        bed.server.answerLastAck();
        assertThat(bed.server.changes).as("1 is not acked").isEmpty();
        bed.ack("a", 1);
        assertThat(bed.server.changes).as("the ack of 1 has no answer").isEmpty();
        bed.server.answerLastAck();
        assertThat(bed.server.changes).hasSize(1);
        assertThat(deferred).isNotDone();

        bed.server.changes.get(0).future.complete("renewed");
        assertThat(deferred).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.stats.held()).isZero();
        assertThat(bed.stats.inFlight()).isZero();
    }

    @Test
    void theTimeADeferralWaitedCounts() {
        bed.defer("a", 1, 10_000);
        bed.timer.advance(4_000);
        bed.ack("a", 0);

        assertThat(bed.server.changes.get(0).duration).hasMillis(6_000);
    }

    @Test
    void aDeferralThatWaitedLongerThanItsDurationIsSentWithNothingLeft() {
        bed.defer("a", 1, 3_000);
        bed.timer.advance(4_000);
        bed.ack("a", 0);

        assertThat(bed.server.changes.get(0).duration).isZero();
    }

    @Test
    void aDeferralIsParkedNoLongerThanItsLease() {
        CompletableFuture<AckOutcome> deferred = bed.defer("a", 1, 600_000);
        bed.timer.advance(58_999);
        assertThat(bed.server.changes).isEmpty();
        bed.timer.advance(1);

        assertThat(deferred).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.changes.get(0).duration).hasMillis(541_000);
    }

    @Test
    void aLeaseThatIsOverByThisClockDoesNotMakeTheDeferralOvertakeAcks() {
        bed.defer(
                bed.handle("a", 1, 1).receipt("r", bed.timer.nowMillis() - 90_000).build(), 9_000);
        assertThat(bed.server.changes).isEmpty();
        bed.ack("a", 0);
        assertThat(bed.server.changes).hasSize(1);
    }

    @Test
    void whatFollowsInADeferredDeliveryIsLetGo() {
        CompletableFuture<AckOutcome> held = bed.ack("a", 3);
        CompletableFuture<AckOutcome> parked = bed.defer("a", 1, 10_000);
        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        CompletableFuture<AckOutcome> whileParked = bed.ack("a", 2);
        assertThat(whileParked).isCompletedWithValue(AckOutcome.DROPPED);

        bed.ack("a", 0);
        assertThat(parked).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.ack("a", 4)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.defer("a", 5, 1)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.ackedIds()).containsExactly("a0");
        assertThat(bed.server.changes).hasSize(1);
        assertThat(bed.stats.dropped).hasValue(5);
    }

    @Test
    void theNextDeliveryOfTheLiteTopicIsNotLetGo() {
        bed.defer("a", 0, 10_000);
        CompletableFuture<AckOutcome> next = bed.ack(bed.handle("a", 2, 0).build());

        assertThat(next).isCompletedWithValue(AckOutcome.SETTLED);
    }

    @Test
    void aLowerDeferralTakesTheParkedOnesPlace() {
        CompletableFuture<AckOutcome> higher = bed.defer("a", 5, 20_000);
        CompletableFuture<AckOutcome> lower = bed.defer("a", 1, 10_000);
        assertThat(higher).isCompletedWithValue(AckOutcome.DROPPED);
        bed.ack("a", 0);

        assertThat(lower).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.changes).hasSize(1);
        assertThat(bed.server.changes.get(0).entry.messageId()).isEqualTo("a1");
    }

    @Test
    void aLowerDeferralAfterOneThatWasSentNeedsNoSecondRequest() {
        bed.defer("a", 5, 600_000);
        bed.timer.advance(59_000);
        assertThat(bed.server.changes).hasSize(1);

        assertThat(bed.defer("a", 1, 10_000)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.ack("a", 3)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.changes).hasSize(1);
    }

    @Test
    void aMessageIsDeferredWhenAnyPartOfItIs() {
        CompletableFuture<AckOutcome> acked = bed.ack(bed.handle("a", 1, 0).part(0, 2).build());
        CompletableFuture<AckOutcome> deferred =
                bed.defer(bed.handle("a", 1, 0).part(1, 2).build(), 10_000);

        assertThat(acked).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(deferred).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackedIds()).isEmpty();
    }

    @Test
    void whatRidesOnADeferredMessageIsSettledBeforeIt() {
        bed.server.answerByHand();
        bed.defer(
                bed.handle("a", 1, 0)
                        .extraReceipts(Collections.singletonList(new ExtraReceipt("x", "rx")))
                        .build(),
                10_000);
        assertThat(bed.server.ackedIds()).containsExactly("x");
        assertThat(bed.server.changes).isEmpty();
        bed.server.answerLastAck();

        assertThat(bed.server.changes.get(0).entry.messageId()).isEqualTo("a0");
    }

    @Test
    void whatRidesOnADeferredMessageDoesNotOvertakeWhatLiesBelow() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        bed.defer(carrier(2), 10_000);
        bed.server.answerLastAck();
        bed.ack("a", 1);
        assertThat(bed.server.ackedIds()).as("1 is under way").containsExactly("a0", "a1");
        bed.server.answerLastAck();
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1", "x");
        assertThat(bed.server.changes).isEmpty();
        bed.server.answerLastAck();

        assertThat(bed.server.changes.get(0).entry.messageId()).isEqualTo("a2");
    }

    @Test
    void whatRidesOnADeferralThatCouldNotWaitAnyLongerComesBackWithIt() {
        bed.defer(carrier(1), 600_000);
        bed.timer.advance(59_000);

        assertThat(bed.server.ackedIds()).isEmpty();
        assertThat(bed.server.changes).hasSize(1);
    }

    private RocketMQReceiptHandle carrier(int index) {
        return bed.handle("a", 1, index)
                .extraReceipts(Collections.singletonList(new ExtraReceipt("x", "rx")))
                .build();
    }

    @Test
    void aMessageThatIsAckedAlreadyIsNotDeferred() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        CompletableFuture<AckOutcome> underWay = bed.defer("a", 0, 10_000);
        assertThat(underWay).isNotDone();
        bed.server.answerLastAck();

        assertThat(underWay).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.defer("a", 0, 10_000)).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.changes).isEmpty();
    }

    @Test
    void aDeferralIsRepeatedWithWhatIsLeftAndTheHandleItCameWith() {
        bed.server.changeScript.addAll(
                Arrays.asList(
                        ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "INTERNAL_SERVER_ERROR"),
                        ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE")));
        CompletableFuture<AckOutcome> deferred = bed.defer("a", 0, 10_000);
        assertThat(deferred).isNotDone();
        bed.timer.advance(1_000);

        assertThat(deferred).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.changes)
                .hasSize(3)
                .allSatisfy(c -> assertThat(c.entry.receiptHandle()).isEqualTo("r-a0"));
        assertThat(bed.server.changes.get(2).duration)
                .isBetween(Duration.ofMillis(9_600), Duration.ofMillis(9_800));
        assertThat(bed.stats.retried).hasValue(2);
        assertThat(bed.stats.deferrals).hasValue(1);
    }

    @Test
    void aDeferralThatCameTooLateIsStale() {
        bed.server.changeScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));

        assertThat(bed.defer("a", 0, 10_000)).isCompletedWithValue(AckOutcome.STALE);
        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.stats.deferrals).hasValue(0);
    }

    @Test
    void aStaleAckBelowDoesNotKeepTheDeferralBack() {
        bed.server.ackScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        bed.ack("a", 0);
        bed.defer("a", 1, 10_000);

        assertThat(bed.server.changes).hasSize(1);
    }

    @Test
    void afterTheOrderWasGivenUpADeferralWaitsNoLongerThanAnAckWould() {
        for (String liteTopic : Arrays.asList("x", "y", "z")) {
            bed.ack(liteTopic, 1);
            bed.timer.advance(5_000);
        }
        bed.defer("a", 1, 60_000);
        bed.timer.advance(4_999);
        assertThat(bed.server.changes).isEmpty();
        bed.timer.advance(1);

        assertThat(bed.server.changes.get(0).duration).hasMillis(55_000);
    }

    @Test
    void withOrderNoneADeferralStillWaitsForWhatLiesBelow() {
        AckTestBed unordered = new AckTestBed(AckOrder.NONE, SequencerLimits.DEFAULT);
        unordered.ack("a", 1);
        unordered.defer("a", 2, 10_000);
        assertThat(unordered.server.changes).isEmpty();
        unordered.ack("a", 0);

        assertThat(unordered.server.changes).hasSize(1);
    }

    @Test
    void atTheEndOfItsOwnerADeferralWaitsForWhatIsUnderWayOnly() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        bed.defer("a", 2, 10_000);
        bed.session.flush(bed.stats);
        assertThat(bed.server.changes).isEmpty();
        bed.server.acks.get(0).answer(AckResult::ok);

        assertThat(bed.server.changes).hasSize(1);
    }

    @Test
    void aRefusedAckOfWhatRidesOnTheDeferredMessageFailsTheDeferral() {
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        CompletableFuture<AckOutcome> deferred =
                bed.defer(
                        bed.handle("a", 1, 0)
                                .extraReceipts(
                                        Collections.singletonList(new ExtraReceipt("x", "rx")))
                                .build(),
                        10_000);

        assertThatThrownBy(deferred::join)
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isTrue())
                .hasMessageContaining("message x, code FORBIDDEN");
        assertThat(bed.server.changes).isEmpty();
        assertThat(bed.stats.inFlight() + bed.stats.held()).isZero();
    }
}
