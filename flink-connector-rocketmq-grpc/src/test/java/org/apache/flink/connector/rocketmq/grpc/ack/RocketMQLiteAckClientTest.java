/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one lease promises its owner: bounded in flight, draining, refusing after release. */
@Timeout(60)
class RocketMQLiteAckClientTest {

    private static final int MAX_IN_FLIGHT = 4;

    private final ScriptedAcknowledger server = new ScriptedAcknowledger().answerByHand();
    private final AckConfig config =
            AckConfig.from(
                    new Configuration().set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, MAX_IN_FLIGHT));
    private final AckCorePool pool =
            new AckCorePool(
                    c ->
                            new AckCore(
                                    c,
                                    (client, group, topic) -> server,
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));
    private final RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(pool, config);

    @AfterEach
    void release() {
        client.release();
    }

    private static RocketMQReceiptHandle handle(String liteTopic, int index) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", liteTopic, liteTopic + index)
                .receipt("r", System.currentTimeMillis() + 60_000)
                .delivery("broker-a", 1, 1)
                .place(index, false)
                .build();
    }

    @Test
    void theCallerWaitsWhenTooMuchIsInFlight() throws Exception {
        for (int i = 0; i < MAX_IN_FLIGHT; i++) {
            client.ack(handle("t" + i, 0));
        }
        List<CompletableFuture<AckOutcome>> late = new ArrayList<>();
        Thread caller = new Thread(() -> late.add(client.ack(handle("late", 0))), "caller");
        caller.start();
        Awaitility.await().until(() -> caller.getState() == Thread.State.WAITING);
        assertThat(late).isEmpty();
        assertThat(client.stats().inFlight()).isEqualTo(MAX_IN_FLIGHT);

        server.answerAtOnce();
        server.acks.get(0).answer(AckResult::ok);
        caller.join(10_000);
        assertThat(late.get(0).get(10, TimeUnit.SECONDS)).isEqualTo(AckOutcome.SETTLED);
    }

    @Test
    void heldAcksTakeNoPlace() {
        for (int i = 1; i <= 3 * MAX_IN_FLIGHT; i++) {
            client.ack(handle("t", i));
        }
        assertThat(client.stats().held()).isEqualTo(3 * MAX_IN_FLIGHT);
        server.answerAtOnce();
        CompletableFuture<AckOutcome> first = client.ack(handle("t", 0));

        assertThat(first.join()).isEqualTo(AckOutcome.SETTLED);
        assertThat(server.ackedIds()).hasSize(3 * MAX_IN_FLIGHT + 1).startsWith("t0", "t1", "t2");
    }

    @Test
    void withOnePlaceInFlightAcksInReverseOrderMakeProgress() {
        server.answerAtOnce();
        RocketMQLiteAckClient narrow =
                RocketMQLiteAckClient.acquire(
                        pool,
                        AckConfig.from(
                                new Configuration().set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 1)));
        List<CompletableFuture<AckOutcome>> acks = new ArrayList<>();
        for (int i = 31; i >= 0; i--) {
            acks.add(narrow.ack(handle("t", i)));
        }
        narrow.release();

        assertThat(acks).allSatisfy(a -> assertThat(a).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(server.ackedIds()).hasSize(32).startsWith("t0", "t1", "t2").endsWith("t31");
    }

    @Test
    void anInterruptedCallerLeavesWithItsFlagSet() throws Exception {
        for (int i = 0; i < MAX_IN_FLIGHT; i++) {
            client.ack(handle("t" + i, 0));
        }
        Thread.currentThread().interrupt();
        CompletableFuture<AckOutcome> refused = client.ack(handle("late", 0));

        assertThat(Thread.interrupted()).isTrue();
        assertThatThrownBy(refused::join).cause().hasMessageContaining("interrupted");
    }

    @Test
    void aCallInAContinuationNeverWaitsForAPlace() {
        List<CompletableFuture<AckOutcome>> chained = new ArrayList<>();
        for (int i = 0; i < MAX_IN_FLIGHT; i++) {
            chained.add(
                    client.changeInvisibleDuration(handle("t" + i, 0), Duration.ofSeconds(90))
                            .thenCompose(
                                    renewed -> {
                                        client.ack(renewed.toBuilder().place(1, false).build());
                                        return client.ack(renewed);
                                    }));
        }
        assertThat(server.changes).hasSize(MAX_IN_FLIGHT);
        server.answerAtOnce();
        server.changes.forEach(change -> change.future.complete("renewed"));

        assertThat(chained).allSatisfy(ack -> assertThat(ack.join()).isEqualTo(AckOutcome.SETTLED));
    }

    @Test
    void drainingWaitsForWhatIsUnderWay() throws Exception {
        CompletableFuture<AckOutcome> ack = client.ack(handle("t", 0));
        assertThat(client.drain(Duration.ofMillis(50))).isEqualTo(1);
        CompletableFuture<Void> answer =
                CompletableFuture.runAsync(
                        server::answerLastAck,
                        CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));

        assertThat(client.drain(Duration.ofSeconds(30))).isZero();
        assertThat(ack).isCompletedWithValue(AckOutcome.SETTLED);
        answer.join();
    }

    @Test
    void theOtherLeasesCallsDoNotKeepADrainWaiting() throws Exception {
        RocketMQLiteAckClient other = RocketMQLiteAckClient.acquire(pool, config);
        other.ack(handle("t", 0));

        assertThat(client.drain(Duration.ofMillis(50))).isZero();
        assertThat(other.drain(Duration.ofMillis(50))).isEqualTo(1);
        other.release();
    }

    @Test
    void theLastReleaseFailsWhatIsUnderWay() {
        CompletableFuture<AckOutcome> ack = client.ack(handle("t", 0));
        client.release();

        assertThatThrownBy(ack::join).cause().hasMessageContaining("the client was closed");
        assertThat(server.closes()).isEqualTo(1);
    }

    @Test
    void aHandleThatCannotBeRoutedFailsWithWhatIsWrong() {
        RocketMQReceiptHandle broken =
                handle("t", 0).toBuilder().route("no:such:place:1", "", "GID").build();

        assertThatThrownBy(() -> client.ack(broken).join())
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isTrue())
                .hasMessageContaining("message t0");
        assertThat(client.stats().inFlight()).isZero();
    }

    @Test
    void anInvisibleDurationOutsideTheServersRangeIsRefused() {
        assertThatThrownBy(() -> client.defer(handle("t", 0), Duration.ofHours(13)))
                .hasMessageContaining("PT13H (expected: 0 to 12 h)");
        assertThatThrownBy(
                        () -> client.changeInvisibleDuration(handle("t", 0), Duration.ofMillis(-1)))
                .hasMessageContaining("(expected: 0 to 12 h)");
        assertThat(server.changes).isEmpty();
    }
}
