/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.junit.jupiter.api.Test;

/** In which order acks leave, and how long one waits for its place. */
class AckOrderTest {

    private final AckTestBed bed = new AckTestBed();

    @Test
    void anAckInItsPlaceLeavesAtOnce() {
        CompletableFuture<AckOutcome> first = bed.ack("a", 0);
        CompletableFuture<AckOutcome> second = bed.ack("a", 1);

        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1");
        assertThat(first).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(second).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.stats.settled).hasValue(2);
    }

    @Test
    void anAckBehindAGapWaitsUntilTheGapCloses() {
        CompletableFuture<AckOutcome> third = bed.ack("a", 2);
        CompletableFuture<AckOutcome> second = bed.ack("a", 1);

        assertThat(bed.server.ackedIds()).isEmpty();
        assertThat(bed.stats.held()).isEqualTo(2);
        assertThat(bed.places.availablePermits())
                .as("held acks take no place")
                .isEqualTo(1_000_000);

        bed.ack("a", 0);
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1", "a2");
        assertThat(Arrays.asList(second, third))
                .allSatisfy(ack -> assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(bed.stats.held()).isZero();
        assertThat(bed.stats.inFlight()).isZero();
    }

    @Test
    void otherLiteTopicsAndOtherDeliveriesDoNotWait() {
        bed.ack("a", 1);
        bed.ack("b", 0);
        bed.ack(bed.handle("a", 2, 0).build());

        assertThat(bed.server.ackedIds()).containsExactly("b0", "a0");
    }

    @Test
    void anAckBehindAGapGoesAfterTheOrderTimeout() {
        CompletableFuture<AckOutcome> held = bed.ack("a", 1);
        bed.timer.advance(1_000);
        bed.ack("a", 3);

        bed.timer.advance(3_999);
        assertThat(bed.server.ackedIds()).isEmpty();
        bed.timer.advance(1);
        assertThat(bed.server.ackedIds()).containsExactly("a1");
        assertThat(held).isCompletedWithValue(AckOutcome.SETTLED);
        bed.timer.advance(1_000);
        assertThat(bed.server.ackedIds()).containsExactly("a1", "a3");
    }

    @Test
    void whatFollowsAnAckThatTimedOutLeavesWithIt() {
        bed.ack("a", 1);
        bed.timer.advance(4_000);
        bed.ack("a", 2);
        bed.timer.advance(1_000);

        assertThat(bed.server.ackedIds()).containsExactly("a1", "a2");
    }

    @Test
    void anAckThatWasOvertakenLeavesAtOnce() {
        bed.ack("a", 2);
        bed.timer.advance(5_000);
        bed.ack("a", 1);
        bed.ack("a", 3);

        assertThat(bed.server.ackedIds()).containsExactly("a2", "a1", "a3");
    }

    @Test
    void afterThreeGapsInARowThatTimeOutNothingWaitsAnyMore() {
        for (String liteTopic : Arrays.asList("a", "b", "c")) {
            assertThat(bed.session.isOrderGivenUp()).isFalse();
            bed.ack(liteTopic, 1);
            bed.timer.advance(5_000);
        }
        assertThat(bed.session.isOrderGivenUp()).isTrue();

        bed.ack("d", 7);
        assertThat(bed.server.ackedIds()).containsExactly("a1", "b1", "c1", "d7");
    }

    @Test
    void givingUpLetsEverythingOutThatWaits() {
        bed.ack("a", 1);
        bed.timer.advance(5_000);
        bed.ack("b", 1);
        bed.timer.advance(5_000);
        bed.ack("c", 1);
        bed.timer.advance(2_000);
        CompletableFuture<AckOutcome> late = bed.ack("d", 1);
        bed.timer.advance(3_000);

        assertThat(late).isCompletedWithValue(AckOutcome.SETTLED);
    }

    @Test
    void aGapThatClosesInTimeBreaksTheRow() {
        bed.ack("a", 1);
        bed.timer.advance(5_000);
        bed.ack("b", 1);
        bed.timer.advance(5_000);
        bed.ack("c", 1);
        bed.ack("c", 0);
        bed.ack("d", 1);
        bed.timer.advance(5_000);

        assertThat(bed.session.isOrderGivenUp()).isFalse();
    }

    @Test
    void withOrderNoneAcksLeaveAsTheyCome() {
        AckTestBed unordered = new AckTestBed(AckOrder.NONE, SequencerLimits.DEFAULT);
        unordered.ack("a", 2);
        unordered.ack("a", 0);

        assertThat(unordered.server.ackedIds()).containsExactly("a2", "a0");
    }

    @Test
    void anAckWaitsNoLongerThanItsLeaseAndThatIsNoSignOfDisorder() {
        for (int i = 0; i < 4; i++) {
            RocketMQReceiptHandle shortLease =
                    bed.handle("s" + i, 1, 1).receipt("r", bed.timer.nowMillis() + 3_000).build();
            CompletableFuture<AckOutcome> ack = bed.ack(shortLease);
            bed.timer.advance(1_999);
            assertThat(ack).isNotDone();
            bed.timer.advance(1);
            assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED);
        }
        assertThat(bed.session.isOrderGivenUp()).isFalse();
    }

    @Test
    void aMessageOfSeveralPartsIsAckedOnceWithItsLastPart() {
        RocketMQReceiptHandle.Builder message = bed.handle("a", 1, 0);
        CompletableFuture<AckOutcome> first = bed.ack(message.part(0, 3).build());
        CompletableFuture<AckOutcome> again = bed.ack(message.part(0, 3).build());
        CompletableFuture<AckOutcome> third = bed.ack(message.part(2, 3).build());
        CompletableFuture<AckOutcome> next = bed.ack("a", 1);
        assertThat(bed.server.ackedIds()).isEmpty();

        CompletableFuture<AckOutcome> second = bed.ack(message.part(1, 3).build());
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1");
        assertThat(Arrays.asList(first, again, second, third, next))
                .allSatisfy(ack -> assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(bed.stats.held()).isZero();
    }

    @Test
    void messagesThatRideOnAHandleAreAckedBeforeIt() {
        bed.ack(
                bed.handle("a", 1, 0)
                        .extraReceipts(
                                Arrays.asList(
                                        new ExtraReceipt("x1", "rx1"),
                                        new ExtraReceipt("x2", "rx2")))
                        .build());

        assertThat(bed.server.ackedIds()).containsExactly("x1", "x2", "a0");
        assertThat(bed.server.acks.get(0).entries)
                .allSatisfy(entry -> assertThat(entry.liteTopic()).isEqualTo("a"));
    }

    @Test
    void anAckThatComesTwiceIsSentOnce() {
        bed.server.answerByHand();
        CompletableFuture<AckOutcome> first = bed.ack("a", 0);
        CompletableFuture<AckOutcome> second = bed.ack("a", 0);
        assertThat(second).isNotDone();
        bed.server.answerLastAck();
        CompletableFuture<AckOutcome> third = bed.ack("a", 0);

        assertThat(Arrays.asList(first, second, third))
                .allSatisfy(ack -> assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(bed.server.ackedIds()).containsExactly("a0");
    }

    @Test
    void atTheEndOfItsOwnerWhatWaitsGoesOut() {
        CompletableFuture<AckOutcome> mine = bed.ack("a", 2);
        AckStats other = new AckStats();
        CompletableFuture<AckOutcome> others =
                bed.session.ack(bed.handle("b", 2), other, bed.permit());

        bed.session.flush(bed.stats);
        assertThat(mine).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(others).isNotDone();
        assertThat(other.held()).isEqualTo(1);
    }
}
