/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.junit.jupiter.api.Test;

/**
 * What a second call about the same delivery says: the table "a deferral and a later ack of the
 * same message" of {@code docs/acknowledging.md}, row by row.
 */
class SecondCallTest {

    private static final long D = 10_000;

    private final AckTestBed bed = new AckTestBed();

    private void expect(CompletableFuture<AckOutcome> call, AckOutcome outcome) {
        assertThat(call).isCompletedWithValue(outcome);
    }

    private void expectRequests(int acks, int changes) {
        assertThat(bed.server.ackedIds()).hasSize(acks);
        assertThat(bed.server.changes).hasSize(changes);
    }

    private CompletableFuture<RocketMQReceiptHandle> extend(RocketMQReceiptHandle handle) {
        return bed.session.extend(handle, Duration.ofSeconds(90), bed.stats, bed.permit());
    }

    @Test
    void deferThenAckOfTheSameOrALaterMessageIsDropped() {
        expect(bed.defer("a", 0, D), AckOutcome.SETTLED);
        expect(bed.ack("a", 0), AckOutcome.DROPPED);
        expect(bed.ack("a", 3), AckOutcome.DROPPED);
        expectRequests(0, 1);
    }

    @Test
    void deferThenAckOfAnEarlierMessageIsSettledFirst() {
        CompletableFuture<AckOutcome> deferral = bed.defer("a", 1, D);
        expect(bed.ack("a", 0), AckOutcome.SETTLED);
        expect(deferral, AckOutcome.SETTLED);
        expectRequests(1, 1);
    }

    @Test
    void deferThenDeferOfTheSameOrALaterMessageIsDropped() {
        bed.defer("a", 0, D);
        expect(bed.defer("a", 0, D), AckOutcome.DROPPED);
        expect(bed.defer("a", 2, D), AckOutcome.DROPPED);
        expectRequests(0, 1);
    }

    @Test
    void aDeferralThatWaitsGivesWayToAnEarlierOne() {
        CompletableFuture<AckOutcome> later = bed.defer("a", 2, D);
        expect(bed.defer("a", 0, 2 * D), AckOutcome.SETTLED);
        expect(later, AckOutcome.DROPPED);
        expectRequests(0, 1);
        assertThat(bed.server.changes.get(0).duration).hasMillis(2 * D);
    }

    @Test
    void afterADeferralThatWasSentAnEarlierOneIsDropped() {
        RocketMQReceiptHandle earlier = bed.handle("a", 0);
        CompletableFuture<AckOutcome> sent = bed.defer("a", 1, 120_000);
        bed.timer.advance(AckTestBed.LEASE_MILLIS - OrderPolicy.LEASE_MARGIN_MILLIS);
        expect(sent, AckOutcome.SETTLED);
        expect(bed.defer(earlier, D), AckOutcome.DROPPED);
        expectRequests(0, 1);
    }

    @Test
    void deferThenExtendGivesTheSameHandle() {
        bed.defer("a", 0, D);
        RocketMQReceiptHandle handle = bed.handle("a", 0);
        assertThat(extend(handle)).isCompletedWithValue(handle);
        expectRequests(0, 1);
    }

    @Test
    void ackThenDeferOrAckSaysHowTheAckEnds() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        CompletableFuture<AckOutcome> deferral = bed.defer("a", 0, D);
        CompletableFuture<AckOutcome> again = bed.ack("a", 0);
        assertThat(deferral).isNotDone();
        bed.server.answerLastAck();
        expect(deferral, AckOutcome.SETTLED);
        expect(again, AckOutcome.SETTLED);
        expectRequests(1, 0);
    }

    @Test
    void threeExtensionsThenAnAckWithTheNewestHandle() {
        RocketMQReceiptHandle handle = bed.handle("a", 0);
        for (int i = 0; i < 3; i++) {
            bed.timer.advance(50_000);
            handle = extend(handle).join();
        }
        expect(bed.ack(handle), AckOutcome.SETTLED);
        expectRequests(1, 3);
        assertThat(bed.server.acks.get(0).entries.get(0).receiptHandle()).isEqualTo("renewed-3");
    }

    @Test
    void aCallWithAHandleOfTheDeliveryBeforeChangesNothing() {
        bed.ack(bed.handle("a", 2, 0).build());
        expect(bed.ack("a", 0), AckOutcome.SETTLED);
        expect(bed.ack("a", 4), AckOutcome.DROPPED);
        expect(bed.defer("a", 5, D), AckOutcome.STALE);
        assertThat(bed.server.changes).isEmpty();
    }
}
