/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a delivery when a later one of its lite topic, or an ack of it, comes. */
class NewerDeliveryTest {

    private final AckTestBed bed = new AckTestBed();

    private CompletableFuture<AckOutcome> ackOf(AckTestBed where, long delivery, int index) {
        return where.ack(where.handle("a", delivery, index).build());
    }

    @ParameterizedTest
    @EnumSource(
            value = AckOrder.class,
            names = {"AUTO", "LITE_TOPIC"})
    void heldAcksAreLetGoWhenTheLiteTopicIsDeliveredAnew(AckOrder order) {
        AckTestBed ordered = new AckTestBed(order, SequencerLimits.DEFAULT);
        CompletableFuture<AckOutcome> held = ackOf(ordered, 1, 2);
        CompletableFuture<AckOutcome> elsewhere = ordered.ack("b", 2);
        ackOf(ordered, 2, 0);

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(elsewhere).isNotDone();
        assertThat(ordered.server.ackedIds()).containsExactly("a0");
        assertThat(ordered.stats.held()).isEqualTo(1);
    }

    @Test
    void anotherBrokersDeliveryOfTheLiteTopicChangesNothing() {
        CompletableFuture<AckOutcome> held = ackOf(bed, 1, 2);
        bed.ack(bed.handle("a", 2, 0).delivery("broker-b", 2, 1).build());

        assertThat(held).isNotDone();
    }

    @Test
    void aLateAckBehindAGapOfAnOldDeliveryDoesNotWait() {
        ackOf(bed, 2, 0);

        assertThat(ackOf(bed, 1, 3)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.ackRequests()).isEqualTo(1);
    }

    @Test
    void aLateAckOfAnOldDeliveryInItsPlaceIsTheServersToJudge() {
        ackOf(bed, 2, 0);

        assertThat(ackOf(bed, 1, 0)).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackRequests()).isEqualTo(2);
    }

    @Test
    void anAckOfTheNewDeliveryWaitsForItsOwnPlaceOnly() {
        ackOf(bed, 1, 2);
        CompletableFuture<AckOutcome> newer = ackOf(bed, 2, 1);
        assertThat(newer).isNotDone();
        ackOf(bed, 2, 0);

        assertThat(newer).isCompletedWithValue(AckOutcome.SETTLED);
    }

    @Test
    void aParkedDeferralIsStaleWhenTheLiteTopicIsDeliveredAnew() {
        CompletableFuture<AckOutcome> parked = bed.defer("a", 1, 10_000);
        ackOf(bed, 2, 0);

        assertThat(parked).isCompletedWithValue(AckOutcome.STALE);
        assertThat(bed.ack("a", 5)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.changes).isEmpty();
        assertThat(bed.stats.held()).isZero();
    }

    @Test
    void aDeferralOfAnOldDeliveryIsStaleAndItsRestIsLetGo() {
        ackOf(bed, 2, 0);

        assertThat(bed.defer("a", 3, 10_000)).isCompletedWithValue(AckOutcome.STALE);
        assertThat(bed.ack("a", 4)).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.changes).isEmpty();
    }

    @Test
    void anAckThatComesAgainAfterItsDeliveryIsCompleteIsAnsweredFromMemory() {
        bed.ack("a", 0);
        bed.ack("a", 1);
        bed.ack(bed.last("a", 2));
        assertThat(bed.session.deliveriesKnown()).isZero();

        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.defer("a", 1, 1_000)).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.session.deliveriesKnown()).isZero();
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a1", "a2");
        assertThat(bed.server.changes).isEmpty();
    }

    @Test
    void whatEndedStaleIsStaleAgain() {
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID"));
        bed.ack("a", 0);
        bed.ack(bed.last("a", 1));

        assertThat(bed.ack("a", 0)).isCompletedWithValue(AckOutcome.STALE);
        assertThat(bed.ack("a", 1)).isCompletedWithValue(AckOutcome.SETTLED);
    }

    @Test
    void anOwnerThatEndsWithItsWorkUndoneSendsNothingPastAGap() {
        CompletableFuture<AckOutcome> held = bed.ack("a", 1);
        CompletableFuture<AckOutcome> part = bed.ack(bed.handle("b", 1, 0).part(0, 2).build());
        CompletableFuture<AckOutcome> parked = bed.defer("c", 1, 10_000);
        AckStats other = new AckStats();
        CompletableFuture<AckOutcome> others =
                bed.session.ack(bed.handle("a", 2), other, bed.permit());
        bed.session.letGo(bed.stats);

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(part).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(parked).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(others).isNotDone();
        assertThat(bed.server.ackedIds()).isEmpty();
        assertThat(bed.stats.held()).isZero();
    }

    @Test
    void theReleaseOfTheLowestUnfinishedMessageGoesAtOnceAndLetsTheRestGo() {
        bed.ack("a", 0);
        CompletableFuture<AckOutcome> held = bed.ack("a", 2);
        CompletableFuture<AckOutcome> release = bed.defer("a", 1, 0);

        assertThat(release).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(bed.server.changes.get(0).duration).isZero();
        assertThat(bed.server.changes.get(0).suspend).isTrue();
    }
}
