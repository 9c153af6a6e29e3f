/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.junit.jupiter.api.Test;

/** What the sequencer remembers, and when it forgets. */
class SequencerBoundsTest {

    private final AckTestBed bed = new AckTestBed(AckOrder.AUTO, new SequencerLimits(10, 20));

    @Test
    void aDeliveryIsForgottenWhenAllOfItIsSettled() {
        bed.ack("a", 0);
        assertThat(bed.session.deliveriesKnown()).isEqualTo(1);
        bed.ack(bed.last("a", 1));

        assertThat(bed.session.deliveriesKnown()).isZero();
    }

    @Test
    void aDeliveryWithoutAKnownEndIsForgottenAtLeaseEnd() {
        bed.ack("a", 0);
        bed.timer.advance(AckTestBed.LEASE_MILLIS - 1);
        assertThat(bed.session.deliveriesKnown()).isEqualTo(1);
        bed.timer.advance(1);

        assertThat(bed.session.deliveriesKnown()).isZero();
        assertThat(bed.timer.size()).isZero();
    }

    @Test
    void aDeferredDeliveryIsRememberedUntilLeaseEnd() {
        bed.defer("a", 0, 1_000);
        bed.timer.advance(AckTestBed.LEASE_MILLIS - 1);
        assertThat(bed.session.deliveriesKnown()).isEqualTo(1);
        bed.timer.advance(1);

        assertThat(bed.session.deliveriesKnown()).isZero();
    }

    @Test
    void partsThatNeverMeetEndStaleAtLeaseEnd() {
        CompletableFuture<AckOutcome> part = bed.ack(bed.handle("a", 1, 0).part(0, 2).build());
        bed.timer.advance(AckTestBed.LEASE_MILLIS);

        assertThat(part).isCompletedWithValue(AckOutcome.STALE);
        assertThat(bed.stats.held()).isZero();
        assertThat(bed.server.ackedIds()).isEmpty();
    }

    @Test
    void whenTooManyDeliveriesAreKnownTheOldestGoesOutAsItIs() {
        CompletableFuture<AckOutcome> held = bed.ack("a", 1);
        CompletableFuture<AckOutcome> parked = bed.defer("b", 1, 10_000);
        for (int i = 0; i < 8; i++) {
            bed.ack("c" + i, 0);
        }
        assertThat(held).isNotDone();
        bed.ack("d", 0);
        assertThat(held).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(parked).isNotDone();
        bed.ack("e", 0);

        assertThat(parked).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.session.deliveriesKnown()).isEqualTo(10);
        assertThat(bed.session.deliveriesForgotten()).isEqualTo(2);
    }

    @Test
    void whenTooManyAcksWaitTheNextOnesDoNot() {
        List<CompletableFuture<AckOutcome>> held = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            held.add(bed.ack("a", i + 1));
        }
        assertThat(held).noneMatch(CompletableFuture::isDone);
        CompletableFuture<AckOutcome> tooMany = bed.ack("b", 1);

        assertThat(tooMany).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(held).noneMatch(CompletableFuture::isDone);
        assertThat(bed.stats.held()).isEqualTo(20);
    }

    @Test
    void timersDoNotPileUp() {
        for (int i = 0; i < 2_000; i++) {
            bed.ack("a" + i, 1);
            bed.ack("a" + i, 0);
            bed.timer.advance(1);
        }

        assertThat(bed.timer.size()).isEqualTo(1);
        assertThat(bed.stats.settled).hasValue(4_000);
    }

    @Test
    void aNearerTimerTakesThePlaceOfTheFartherOne() {
        for (int i = 0; i < 4; i++) {
            bed.ack("far" + i, 0);
            bed.ack("near" + i, 1);
            assertThat(bed.timer.size()).isEqualTo(1);
            bed.timer.advance(5_000);
            assertThat(bed.timer.size()).isEqualTo(1);
            bed.ack("near" + i, 0);
        }
    }
}
