/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.ack.ScriptedAcknowledger.AckRequest;
import org.apache.flink.connector.rocketmq.grpc.ack.ScriptedAcknowledger.ChangeRequest;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;

/** A broker that is away for longer than a lease, with acks and deferrals coming all the time. */
class BrokerOutageTest {

    private static final int SECONDS_AWAY = 90;
    private static final int ACKS_PER_SECOND = 10;

    private final RpcException away =
            ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "INTERNAL_SERVER_ERROR");
    private final AckTestBed bed = new AckTestBed();

    @Test
    void ninetySecondsWithoutTheBrokerFailNothingAndWhatStillHasALeaseIsSettled() {
        bed.server.answerByHand();
        List<CompletableFuture<AckOutcome>> acks = new ArrayList<>();
        List<CompletableFuture<AckOutcome>> deferrals = new ArrayList<>();
        for (int second = 0; second < SECONDS_AWAY; second++) {
            for (int i = 0; i < ACKS_PER_SECOND; i++) {
                acks.add(bed.ack("a" + second + "-" + i, 0));
            }
            deferrals.add(bed.defer("d" + second, 0, 120_000));
            for (int tick = 0; tick < 20; tick++) {
                refuseEverything();
                bed.timer.advance(50);
            }
        }
        assertThat(acks.subList(0, ACKS_PER_SECOND * 29))
                .as("their leases are over")
                .allSatisfy(ack -> assertThat(ack).isCompletedWithValue(AckOutcome.STALE));
        int sendsWhileAway = bed.server.ackedIds().size();
        assertThat(sendsWhileAway / acks.size())
                .as("sent again with growing pauses, 5 s at most")
                .isLessThan(25);

        bed.server.answerAtOnce();
        for (AckRequest request : new ArrayList<>(bed.server.acks)) {
            request.answer(AckResult::ok);
        }
        for (ChangeRequest change : new ArrayList<>(bed.server.changes)) {
            change.future.complete("renewed");
        }
        bed.timer.advance(7_000);

        assertThat(acks.subList(ACKS_PER_SECOND * 40, acks.size()))
                .allSatisfy(ack -> assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(deferrals.subList(0, 29))
                .allSatisfy(d -> assertThat(d).isCompletedWithValue(AckOutcome.STALE));
        assertThat(deferrals.subList(40, deferrals.size()))
                .allSatisfy(d -> assertThat(d).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(bed.stats.failures).as("nothing that could fail a job").hasValue(0);
        assertThat(bed.stats.inFlight() + bed.stats.held()).isZero();
        assertThat(bed.places.availablePermits()).isEqualTo(1_000_000);
    }

    private void refuseEverything() {
        for (AckRequest request : new ArrayList<>(bed.server.acks)) {
            request.future.completeExceptionally(away);
        }
        for (ChangeRequest change : new ArrayList<>(bed.server.changes)) {
            change.future.completeExceptionally(away);
        }
    }
}
