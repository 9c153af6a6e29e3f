/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Extending the lease of a message on which others ride: each of their receipts has its own end.
 */
@Timeout(180)
class ExtensionOfRidingMessagesTest {

    private static final String TOPIC = "main";
    private static final String GROUP = "GID";
    private static final Duration INVISIBLE = Duration.ofSeconds(60);

    private final AckTestBed bed = new AckTestBed();

    private RocketMQReceiptHandle.Builder carrier() {
        return bed.handle("a", 1, 0)
                .extraReceipts(
                        Arrays.asList(
                                new ExtraReceipt("x1", "rx1"), new ExtraReceipt("x2", "rx2")));
    }

    private CompletableFuture<RocketMQReceiptHandle> extend(RocketMQReceiptHandle handle) {
        return bed.session.extend(handle, Duration.ofSeconds(90), bed.stats, bed.permit());
    }

    private List<String> changed() {
        List<String> changed = new ArrayList<>();
        bed.server.changes.forEach(c -> changed.add(c.entry.receiptHandle()));
        return changed;
    }

    private void answerLastChange(String receipt) {
        bed.server.changes.get(bed.server.changes.size() - 1).future.complete(receipt);
    }

    @Test
    void whatRidesIsExtendedBeforeTheMessageAndTheNewHandleCarriesAllNewReceipts() {
        RocketMQReceiptHandle renewed = extend(carrier().build()).join();

        assertThat(changed()).containsExactly("rx1", "rx2", "r-a0");
        assertThat(bed.server.changes)
                .allSatisfy(change -> assertThat(change.suspend).isFalse())
                .allSatisfy(change -> assertThat(change.duration).hasSeconds(90));
        bed.ack(renewed);
        assertThat(bed.server.acks.get(0).entries)
                .extracting(AckEntry::messageId, AckEntry::receiptHandle)
                .containsExactly(
                        tuple("x1", "renewed-1"),
                        tuple("x2", "renewed-2"),
                        tuple("a0", "renewed-3"));
        assertThat(bed.stats.inFlight()).isZero();
    }

    @Test
    void theNewLeaseEndsWithTheReceiptThatEndsFirst() {
        bed.server.answerByHand();
        long began = bed.timer.nowMillis();
        CompletableFuture<RocketMQReceiptHandle> extension = extend(carrier().build());
        answerLastChange("n1");
        bed.timer.advance(5_000);
        answerLastChange("n2");
        assertThat(extension).isNotDone();
        answerLastChange("n0");

        assertThat(extension.join().getLeaseEndMillis()).isEqualTo(began + 90_000);
    }

    @Test
    void whatFailedForNowIsRepeatedAloneAndWhatWasExtendedIsNot() {
        bed.server.answerByHand();
        CompletableFuture<RocketMQReceiptHandle> extension = extend(carrier().build());
        answerLastChange("n1");
        bed.server
                .changes
                .get(1)
                .future
                .completeExceptionally(
                        ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        bed.server.answerAtOnce();
        bed.timer.advance(200);

        assertThat(changed()).containsExactly("rx1", "rx2", "rx2", "r-a0");
        assertThat(extension.join().getExtraReceipts())
                .containsExactly(new ExtraReceipt("x1", "n1"), new ExtraReceipt("x2", "renewed-3"));
    }

    @Test
    void aRidingMessageThatCannotBeExtendedFailsTheExtensionAndTheMessageKeepsItsLease() {
        bed.server.changeScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        RocketMQReceiptHandle old = carrier().build();

        assertThatThrownBy(() -> extend(old).join())
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isFalse())
                .hasMessageContaining("INVALID_RECEIPT_HANDLE")
                .hasMessageContaining("a0");
        assertThat(changed()).containsExactly("rx1");
        assertThat(bed.stats.inFlight()).isZero();
        bed.ack(old);
        assertThat(bed.server.acks.get(0).entries)
                .extracting(AckEntry::receiptHandle)
                .containsExactly("rx1", "rx2", "r-a0");
    }

    @Test
    void aDeferralInBetweenEndsTheExtensionWithTheHandleItCameWith() {
        bed.server.answerByHand();
        RocketMQReceiptHandle old = carrier().build();
        CompletableFuture<RocketMQReceiptHandle> extension = extend(old);
        bed.defer(old, 10_000);
        bed.server.changes.get(0).future.complete("n1");

        assertThat(extension).isCompletedWithValue(old);
        assertThat(changed()).doesNotContain("rx2");
    }

    @Test
    void aSessionThatEndsInBetweenEndsTheExtension() {
        bed.server.answerByHand();
        CompletableFuture<RocketMQReceiptHandle> extension = extend(carrier().build());
        bed.session.beginClose();
        answerLastChange("n1");

        assertThat(extension).isCompletedExceptionally();
        assertThat(changed()).containsExactly("rx1");
    }

    @Test
    void aPartWithOlderReceiptsThatIsAckedLastDoesNotBringThemBack() {
        RocketMQReceiptHandle renewed = extend(carrier().part(0, 2).build()).join();
        bed.ack(renewed);
        bed.ack(carrier().part(1, 2).build());

        assertThat(bed.server.acks.get(0).entries)
                .extracting(AckEntry::receiptHandle)
                .containsExactly("renewed-1", "renewed-2", "renewed-3");
    }

    @Test
    void anExtendedMessageIsSettledAfterItsFirstLeaseWithWhatRidesOnItAndNothingComesBack()
            throws Exception {
        ManualClock clock = new ManualClock();
        try (FakeProxy proxy = FakeProxy.builder().clock(clock).start()) {
            proxy.createLiteTopic(TOPIC);
            proxy.createLiteGroup(GROUP, TOPIC);
            send(proxy, "skipped");
            send(proxy, "worked on");
            RocketMQReceiptHandle handle = receiveBoth(proxy);
            RocketMQLiteAckClient client =
                    RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
            try {
                RocketMQReceiptHandle renewed =
                        client.changeInvisibleDuration(handle, Duration.ofMinutes(10))
                                .get(60, TimeUnit.SECONDS);
                clock.advance(INVISIBLE.multipliedBy(2));

                assertThat(client.ack(renewed).get(60, TimeUnit.SECONDS))
                        .isEqualTo(AckOutcome.SETTLED);
                assertThat(proxy.committed(TOPIC, GROUP, "a")).isEqualTo(2);
                assertThat(proxy.backlog(TOPIC, GROUP)).isZero();
            } finally {
                client.release();
            }
        }
    }

    private static void send(FakeProxy proxy, String body) {
        proxy.send(TOPIC, LiteOutgoingMessage.of("a", body.getBytes(StandardCharsets.UTF_8)));
    }

    /** The handle of the second message, on which the first one rides. */
    private static RocketMQReceiptHandle receiveBoth(FakeProxy proxy) throws Exception {
        Endpoints endpoints = Endpoints.parse(proxy.endpoints());
        try (LiteSimpleConsumer consumer =
                LiteSimpleConsumer.create(
                        LiteClientConfig.builder().endpoints(endpoints).build(),
                        new LiteSubscription(TOPIC, GROUP, Duration.ofSeconds(20), INVISIBLE))) {
            consumer.start().get(60, TimeUnit.SECONDS);
            List<LiteMessage> both =
                    consumer.receive(FakeProxy.BROKER_A, 32).get(60, TimeUnit.SECONDS);
            assertThat(both).hasSize(2);
            LiteMessage skipped = both.get(0);
            return RocketMQReceiptHandleCodec.begin(both.get(1), endpoints.toString(), "", GROUP)
                    .place(0, true)
                    .extraReceipts(
                            Collections.singletonList(
                                    new ExtraReceipt(skipped.messageId(), skipped.receiptHandle())))
                    .build();
        }
    }
}
