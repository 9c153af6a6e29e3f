/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of an operator: what leaves, what is released and what is left alone. */
@Timeout(60)
class OperatorEndTest {

    private final ScriptedAcknowledger server = new ScriptedAcknowledger();
    private final AckCorePool pool =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> server,
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));
    private final Configuration options =
            new Configuration()
                    .set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofSeconds(2))
                    .set(RocketMQGrpcAckOptions.ORDER_TIMEOUT, Duration.ofMinutes(1));
    private final AtomicLong forgotten = new AtomicLong();
    private final UnfinishedMessages unfinished = new UnfinishedMessages(forgotten);
    private RocketMQLiteAckClient client;

    @AfterEach
    void release() {
        client().release();
    }

    private RocketMQLiteAckClient client() {
        if (client == null) {
            client = RocketMQLiteAckClient.acquire(pool, AckConfig.from(options));
        }
        return client;
    }

    private void end(boolean inOrder) {
        new OperatorEnd(AckConfig.from(options), client(), unfinished).run(true, inOrder);
    }

    private static RocketMQReceiptHandle handle(String liteTopic, int index) {
        return handle(liteTopic, index, 60_000);
    }

    private static RocketMQReceiptHandle handle(String liteTopic, int index, long leaseMillis) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", liteTopic, liteTopic + index)
                .receipt("r" + index, System.currentTimeMillis() + leaseMillis)
                .delivery("broker-a", 1, 1)
                .place(index, false)
                .build();
    }

    @Test
    void inOrderWhatWaitsBehindAGapGoesOut() {
        CompletableFuture<AckOutcome> held = client().ack(handle("t", 5));
        end(true);

        assertThat(held).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(server.ackedIds()).containsExactly("t5");
        assertThat(server.changes).isEmpty();
    }

    @Test
    void inOrderAGapThatAnotherOperatorFillsInTimeIsNoGap() {
        options.set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofSeconds(30));
        CompletableFuture<AckOutcome> held = client().ack(handle("t", 1));
        RocketMQLiteAckClient other = RocketMQLiteAckClient.acquire(pool, AckConfig.from(options));
        CompletableFuture<Void> fills =
                CompletableFuture.runAsync(
                        () -> assertThat(other.ack(handle("t", 0)).join()).isNotNull());
        end(true);

        assertThat(held).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(server.ackedIds()).containsExactly("t0", "t1");
        fills.join();
        other.release();
    }

    @Test
    void inStrictOrderWhatWaitsBehindAGapIsReleasedAtTheEndOfInputToo() {
        options.set(RocketMQGrpcAckOptions.ORDER, AckOrder.LITE_TOPIC);
        CompletableFuture<AckOutcome> held = client().ack(handle("t", 5));
        end(true);

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(server.ackedIds()).isEmpty();
        releasedAt("t5");
    }

    @Test
    void interruptedNothingIsSentPastAGapAndTheLowestUnfinishedMessageIsReleased() {
        unfinished.put(handle("t", 3));
        unfinished.put(handle("t", 2));
        CompletableFuture<AckOutcome> first = client().ack(handle("t", 0));
        CompletableFuture<AckOutcome> held = client().ack(handle("t", 5));
        end(false);

        assertThat(first).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(server.ackedIds()).containsExactly("t0");
        releasedAt("t2");
        assertThat(client().stats().released).hasValue(1);
    }

    @Test
    void aParkedDeferralWithSomethingUnfinishedBelowIsReleasedInstead() {
        CompletableFuture<AckOutcome> parked =
                client().defer(handle("t", 4), Duration.ofMinutes(30));
        end(false);

        assertThat(parked).isCompletedWithValue(AckOutcome.DROPPED);
        releasedAt("t4");
    }

    @Test
    void aDeferralThatIsTakenIsLeftAlone() {
        CompletableFuture<AckOutcome> deferred =
                client().defer(handle("t", 0), Duration.ofMinutes(30));
        unfinished.put(handle("u", 0));
        end(false);

        assertThat(deferred).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(server.changes)
                .extracting(change -> change.entry.messageId() + " " + change.duration.toMinutes())
                .hasSize(2)
                .contains("u0 0")
                .doesNotContain("t0 0");
    }

    @Test
    void aLeaseThatIsOverIsNotReleased() {
        unfinished.put(handle("t", 0, -1));
        end(false);

        assertThat(server.changes).isEmpty();
    }

    @Test
    void switchedOffEverythingIsLeftToItsLease() {
        options.set(RocketMQGrpcAckOptions.RELEASE_ON_CLOSE, false);
        unfinished.put(handle("t", 0));
        CompletableFuture<AckOutcome> held = client().ack(handle("t", 5));
        end(false);

        assertThat(held).isCompletedWithValue(AckOutcome.DROPPED);
        assertThat(server.ackedIds()).isEmpty();
        assertThat(server.changes).isEmpty();
    }

    @Test
    void manyDeliveriesAreReleasedWithOneRequestEach() {
        for (int i = 0; i < 1_000; i++) {
            unfinished.put(handle("t" + i, 1));
            unfinished.put(handle("t" + i, 2));
        }
        end(false);

        assertThat(server.changes).hasSize(1_000);
        assertThat(client().stats().released).hasValue(1_000);
        assertThat(client().stats().leftToLease).hasValue(0);
    }

    @Test
    void aServerThatIsAwayCostsTheCloseTimeoutAndIsCounted() {
        server.answerByHand();
        for (int i = 0; i < 100; i++) {
            unfinished.put(handle("t" + i, 1));
        }
        long begun = System.nanoTime();
        end(false);

        // all of the close timeout of 2 s, and not a second one
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(20));
        assertThat(server.changes).as("no more than 64 at a time").hasSize(64);
        assertThat(client().stats().released).hasValue(0);
        assertThat(client().stats().leftToLease).hasValue(100);
        assertThat(client().stats().lostAtClose).hasValue(64);
    }

    @Test
    void inOrderAnAckWithoutAnswerLeavesTimeForTheReleases() {
        options.set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofSeconds(6));
        server.answerByHand();
        server.answerChangesAfter(Duration.ofMillis(50));
        CompletableFuture<AckOutcome> unanswered = client().ack(handle("without-answer", 0));
        for (int i = 0; i < 200; i++) {
            unfinished.put(handle("t" + i, 1));
        }
        end(true);

        assertThat(unanswered).isNotDone();
        assertThat(client().stats().released).hasValue(200);
        assertThat(client().stats().leftToLease).hasValue(0);
        assertThat(client().stats().lostAtClose).hasValue(1);
    }

    @Test
    void beyondItsBoundTheOldestDeliveryIsForgottenAndCounted() {
        for (int i = 0; i <= UnfinishedMessages.MAX_DELIVERIES; i++) {
            unfinished.put(handle("t" + i, 0));
        }

        assertThat(unfinished.size()).isEqualTo(UnfinishedMessages.MAX_DELIVERIES);
        assertThat(forgotten).hasValue(1);
        assertThat(unfinished.lowest(Collections.emptyList(), 0).get(0).getMessageId())
                .isEqualTo("t10");
    }

    @Test
    void aNewHandleReplacesTheOldOneAndADeferralEndsWhatFollows() {
        unfinished.put(handle("t", 1));
        unfinished.put(handle("t", 2));
        unfinished.replace(handle("t", 1).toBuilder().receipt("new", Long.MAX_VALUE).build());
        unfinished.replace(handle("t", 7));
        unfinished.removeFrom(handle("t", 2));

        assertThat(unfinished.lowest(Collections.emptyList(), 0))
                .extracting(RocketMQReceiptHandle::getReceiptHandle)
                .containsExactly("new");
        unfinished.remove(handle("t", 1));
        assertThat(unfinished.size()).isZero();
    }

    private void releasedAt(String messageId) {
        assertThat(server.changes).hasSize(1);
        assertThat(server.changes.get(0).entry.messageId()).isEqualTo(messageId);
        assertThat(server.changes.get(0).duration).isZero();
        assertThat(server.changes.get(0).suspend).isTrue();
    }
}
