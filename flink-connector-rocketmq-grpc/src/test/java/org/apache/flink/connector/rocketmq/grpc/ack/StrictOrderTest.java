/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;

/** Order {@code lite-topic}: nothing is ever sent past an unfinished message. */
class StrictOrderTest {

    private static final SequencerLimits LIMITS = new SequencerLimits(10, 5);

    private final AckTestBed bed = new AckTestBed(AckOrder.LITE_TOPIC, LIMITS);

    @Test
    void anAckBehindAGapWaitsFarBeyondTheOrderTimeout() {
        CompletableFuture<AckOutcome> held = bed.ack("a", 1);
        bed.timer.advance(AckTestBed.LEASE_MILLIS - 1);
        assertThat(held).isNotDone();
        bed.ack("a", 0);

        assertThat(held).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1");
    }

    @Test
    void anAckBehindAGapIsLetGoWhenItsLeaseEnds() {
        List<CompletableFuture<AckOutcome>> held = Arrays.asList(bed.ack("a", 1), bed.ack("a", 2));
        bed.timer.advance(AckTestBed.LEASE_MILLIS);

        assertThat(held)
                .allSatisfy(ack -> assertThat(ack).isCompletedWithValue(AckOutcome.DROPPED));
        assertThat(bed.server.ackedIds()).isEmpty();
        assertThat(bed.stats.dropped).hasValue(2);
        assertThat(bed.stats.held()).isZero();
        assertThat(bed.session.deliveriesKnown()).isZero();
    }

    @Test
    void manyLeasesThatEndBehindAGapDoNotGiveTheOrderUp() {
        for (int i = 0; i < 5; i++) {
            bed.ack("a" + i, 1);
            bed.timer.advance(AckTestBed.LEASE_MILLIS);
        }

        assertThat(bed.session.isOrderGivenUp()).isFalse();
        assertThat(bed.ack("b", 1)).isNotDone();
    }

    @Test
    void aMessageThatIsExtendedKeepsItsAckWaiting() {
        RocketMQReceiptHandle longer =
                bed.handle("a", 1, 2).receipt("r", bed.timer.nowMillis() + 90_000).build();
        CompletableFuture<AckOutcome> shorter = bed.ack("a", 1);
        CompletableFuture<AckOutcome> extended = bed.ack(longer);
        bed.timer.advance(AckTestBed.LEASE_MILLIS);

        assertThat(shorter).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(extended).isNotDone();
        bed.timer.advance(30_000);
        assertThat(extended).isCompletedWithValue(AckOutcome.DROPPED);
    }

    @Test
    void aLeaseThatIsOverByThisClockStillWaitsAWhile() {
        RocketMQReceiptHandle skewed =
                bed.handle("a", 1, 1).receipt("r", bed.timer.nowMillis() - 10_000).build();
        CompletableFuture<AckOutcome> held = bed.ack(skewed);
        bed.timer.advance(AckTestBed.ORDER_TIMEOUT_MILLIS - 1);
        assertThat(held).isNotDone();
        bed.timer.advance(1);

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
    }

    @Test
    void atTheEndOfTheInputWhatWaitsIsLetGo() {
        CompletableFuture<AckOutcome> mine = bed.ack("a", 2);
        AckStats other = new AckStats();
        CompletableFuture<AckOutcome> others =
                bed.session.ack(bed.handle("a", 3), other, bed.permit());
        bed.session.flush(bed.stats);

        assertThat(mine).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(others).isNotDone();
        assertThat(bed.server.ackedIds()).isEmpty();
    }

    @Test
    void whatWasLetGoCanStillBeAckedInItsPlace() {
        bed.ack("a", 1);
        bed.session.flush(bed.stats);
        bed.ack("a", 0);
        CompletableFuture<AckOutcome> again = bed.ack("a", 1);

        assertThat(again).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1");
    }

    @Test
    void whenTooManyAcksWaitTheNextOnesAreLetGoAndCounted() {
        List<CompletableFuture<AckOutcome>> held = new ArrayList<>();
        for (int i = 1; i <= 5; i++) {
            held.add(bed.ack("a", i));
        }
        CompletableFuture<AckOutcome> tooMany = bed.ack("b", 1);

        assertThat(tooMany).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(held).noneMatch(CompletableFuture::isDone);
        assertThat(bed.stats.heldOverflows).hasValue(1);
        assertThat(bed.server.ackedIds()).isEmpty();
    }

    @Test
    void nothingFollowsAMessageThatCameTooLate() {
        bed.server.ackScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        CompletableFuture<AckOutcome> held = bed.ack("a", 2);
        assertThat(bed.ack("a", 0)).isCompletedWithValue(AckOutcome.STALE);

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.ackedIds()).containsExactly("a0");
    }

    @Test
    void nothingFollowsAMessageWhoseAckWasRefusedUntilItIsTaken() {
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        assertThat(bed.ack("a", 0)).isCompletedExceptionally();
        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.ack("a", 0)).isCompletedWithValue(AckOutcome.SETTLED);

        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a0", "a1");
    }

    @Test
    void whenTooManyDeliveriesAreKnownTheOldestIsLetGo() {
        CompletableFuture<AckOutcome> held = bed.ack("a", 1);
        for (int i = 0; i < 10; i++) {
            bed.ack("c" + i, 0);
        }

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.ackedIds()).doesNotContain("a1");
    }
}
