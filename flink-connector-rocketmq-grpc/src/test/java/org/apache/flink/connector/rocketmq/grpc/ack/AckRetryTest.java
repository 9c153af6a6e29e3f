/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.ack.ScriptedAcknowledger.AckRequest;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which failures are final, and how long the others are repeated. */
class AckRetryTest {

    private final AckTestBed bed = new AckTestBed();

    @Test
    void anExpiredHandleCostsOneRequestAndFailsNothing() {
        bed.server.ackScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        CompletableFuture<AckOutcome> ack = bed.ack("a", 0);
        bed.timer.advance(AckTestBed.LEASE_MILLIS);

        assertThat(ack).isCompletedWithValue(AckOutcome.STALE);
        assertThat(bed.server.ackRequests()).isEqualTo(1);
        assertThat(bed.stats.stale).hasValue(1);
        assertThat(bed.stats.failures).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TOO_MANY_REQUESTS", "INTERNAL_SERVER_ERROR", "UNAVAILABLE"})
    void whatFailsForNowIsRepeatedWithGrowingDelays(String code) {
        for (int i = 0; i < 4; i++) {
            bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.TRANSIENT, code));
        }
        long start = bed.timer.nowMillis();
        CompletableFuture<AckOutcome> ack = bed.ack("a", 0);
        List<Long> requestTimes = new ArrayList<>();
        while (!ack.isDone() && bed.timer.nowMillis() < start + 5_000) {
            bed.timer.advance(1);
            if (bed.server.ackRequests() > requestTimes.size() + 1) {
                requestTimes.add(bed.timer.nowMillis() - start);
            }
        }

        assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackRequests()).isEqualTo(5);
        assertThat(requestTimes.get(0)).isBetween(80L, 120L);
        assertThat(requestTimes.get(1)).isBetween(240L, 360L);
        assertThat(requestTimes.get(2)).isBetween(560L, 840L);
        assertThat(requestTimes.get(3)).isBetween(1_200L, 1_800L);
        assertThat(bed.stats.retried).hasValue(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UNAUTHORIZED", "FORBIDDEN", "ILLEGAL_CONSUMER_GROUP"})
    void whatRepeatingCannotHelpFailsWithTheCodeAfterOneRequest(String code) {
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, code));
        CompletableFuture<AckOutcome> ack = bed.ack("a", 0);

        assertThat(bed.server.ackRequests()).isEqualTo(1);
        assertThat(ack).isCompletedExceptionally();
        assertThatThrownBy(ack::join)
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isTrue())
                .hasMessageContaining("topic main, lite topic a, message a0, code " + code)
                .hasMessageNotContaining("r-a0");
        assertThat(bed.stats.failures).hasValue(1);
    }

    @Test
    void anAckThatTheServerRefusedIsNotTakenForSettledWhenItComesAgain() {
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        CompletableFuture<AckOutcome> first = bed.ack("a", 0);
        CompletableFuture<AckOutcome> again = bed.ack("a", 0);
        CompletableFuture<AckOutcome> allowed = bed.ack("a", 0);

        assertThat(first).isCompletedExceptionally();
        assertThat(again).isCompletedExceptionally();
        assertThat(allowed).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.ackedIds()).containsExactly("a0", "a0", "a0");
    }

    @Test
    void aMessageWhoseAckWasRefusedCanBeDeferred() {
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        bed.ack("a", 0);

        assertThat(bed.defer("a", 0, 10_000)).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.server.changes).hasSize(1);
    }

    @Test
    void retriesEndWithTheLease() {
        RpcException away = ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE");
        bed.server.answerByHand();
        CompletableFuture<AckOutcome> ack = bed.ack("a", 0);
        long end = bed.timer.nowMillis() + AckTestBed.LEASE_MILLIS;
        int answered = 0;
        while (bed.timer.nowMillis() < end) {
            assertThat(ack).isNotDone();
            if (bed.server.ackRequests() > answered) {
                bed.server.acks.get(answered).future.completeExceptionally(away);
                answered++;
            }
            bed.timer.advance(10);
        }

        assertThat(ack).isCompletedWithValue(AckOutcome.STALE);
        assertThat(answered).as("5 s apart at most").isBetween(15, 25);
        assertThat(bed.server.ackRequests()).isEqualTo(answered);
        assertThat(bed.timer.size()).as("nothing is left to run").isLessThanOrEqualTo(1);
    }

    @Test
    void onlyTheEntriesThatFailedAreRepeated() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        for (int i = 0; i < 4; i++) {
            bed.ack("b" + i, 0);
        }
        bed.server.answerLastAck();
        RpcException busy = ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "TOO_MANY_REQUESTS");
        AckRequest second = bed.server.acks.get(1);
        second.answer(
                entry ->
                        entry.liteTopic().compareTo("b1") > 0
                                ? AckResult.failed(entry, busy)
                                : AckResult.ok(entry));
        bed.timer.advance(200);

        assertThat(bed.server.acks).hasSize(3);
        assertThat(bed.server.acks.get(2).entries)
                .as("in one request")
                .extracting(entry -> entry.liteTopic())
                .containsExactly("b2", "b3");
    }

    @Test
    void acksCoalesceWhileARequestIsInFlight() {
        bed.server.answerByHand();
        for (int i = 0; i < 600; i++) {
            bed.ack("t" + i, 0);
        }
        assertThat(bed.server.acks).hasSize(1);
        assertThat(bed.server.acks.get(0).entries).hasSize(1);
        bed.server.answerLastAck();
        assertThat(bed.server.acks).hasSize(2);
        assertThat(bed.server.acks.get(1).entries).hasSize(AckCoalescer.MAX_ENTRIES);
        bed.server.answerAtOnce();
        bed.server.answerLastAck();

        assertThat(bed.server.acks).hasSize(4);
        assertThat(bed.server.ackedIds()).doesNotHaveDuplicates().hasSize(600);
        assertThat(bed.stats.settled).hasValue(600);
    }

    @Test
    void brokersDoNotWaitForEachOther() {
        bed.server.answerByHand();
        bed.ack("a", 0);
        bed.ack(bed.handle("b", 1, 0).delivery("broker-b", 1, 1).build());

        assertThat(bed.server.acks).hasSize(2);
    }

    @Test
    void aConnectionThatCanNeverStandFailsEveryCallAndEndsTheSession() {
        bed.server.answerByHand();
        CompletableFuture<AckOutcome> ack = bed.ack("a", 0);
        CompletableFuture<AckOutcome> held = bed.ack("b", 1);
        CompletableFuture<AckOutcome> parked = bed.defer("c", 1, 10_000);
        bed.server.started.completeExceptionally(
                ScriptedAcknowledger.error(ErrorKind.FATAL, "CONSUMER_GROUP_NOT_FOUND"));
        bed.timer.runDue();

        for (CompletableFuture<AckOutcome> call : List.of(ack, held, parked, bed.ack("d", 0))) {
            assertThatThrownBy(call::join)
                    .cause()
                    .hasMessageContaining("CONSUMER_GROUP_NOT_FOUND")
                    .hasMessageContaining("topic main");
        }
        assertThat(bed.server.closes()).isEqualTo(1);
        assertThat(bed.stats.inFlight() + bed.stats.held()).isZero();
        assertThat(bed.places.availablePermits()).isEqualTo(1_000_000);
    }

    @Test
    void anAnswerAfterTheEndOfTheSessionChangesNothing() {
        bed.server.answerByHand();
        CompletableFuture<AckOutcome> ack = bed.ack("a", 0);
        bed.session.close();
        bed.server.answerLastAck();

        assertThatThrownBy(ack::join)
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isFalse())
                .hasMessageContaining("the client was closed");
        assertThat(bed.server.closes()).isEqualTo(1);
    }
}
