/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;

/** Extending the lease of one message. */
class ExtensionTest {

    private final AckTestBed bed = new AckTestBed();

    private CompletableFuture<RocketMQReceiptHandle> extend(
            RocketMQReceiptHandle handle, long seconds) {
        return bed.session.extend(handle, Duration.ofSeconds(seconds), bed.stats, bed.permit());
    }

    @Test
    void anExtensionGivesTheHandleToAckWith() {
        RocketMQReceiptHandle old = bed.handle("a", 0);
        RocketMQReceiptHandle renewed = extend(old, 90).join();

        assertThat(bed.server.changes.get(0).suspend).isFalse();
        assertThat(renewed.getReceiptHandle()).isEqualTo("renewed-1");
        assertThat(renewed.getLeaseEndMillis()).isEqualTo(bed.timer.nowMillis() + 90_000);
        bed.ack(renewed);
        assertThat(bed.server.acks.get(0).entries.get(0).receiptHandle()).isEqualTo("renewed-1");
    }

    // case 2
    @Test
    void aFailedExtensionKeepsTheOldHandle() {
        bed.server.changeScript.add(
                ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "INTERNAL_SERVER_ERROR"));
        RocketMQReceiptHandle old = bed.handle("a", 0);
        CompletableFuture<RocketMQReceiptHandle> extension = extend(old, 90);
        bed.ack(old);
        assertThat(bed.server.acks.get(0).entries.get(0).receiptHandle()).isEqualTo("r-a0");

        bed.timer.advance(200);
        assertThat(bed.server.changes).hasSize(2);
        assertThat(bed.server.changes.get(1).entry.receiptHandle()).isEqualTo("r-a0");
        assertThat(extension.join().getReceiptHandle()).isEqualTo("renewed-2");
    }

    @Test
    void anExtensionIsRepeatedUntilTheLeaseEndsAndThenFailsNoJob() {
        for (int i = 0; i < 100; i++) {
            bed.server.changeScript.add(
                    ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        }
        CompletableFuture<RocketMQReceiptHandle> extension = extend(bed.handle("a", 0), 90);
        bed.timer.advance(AckTestBed.LEASE_MILLIS - 1);
        assertThat(extension).isNotDone();
        bed.timer.advance(1);

        assertThatThrownBy(extension::join)
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isFalse())
                .hasMessageContaining("UNAVAILABLE");
        assertThat(bed.stats.inFlight()).isZero();
    }

    @Test
    void anExtensionThatCameTooLateFailsWithTheCode() {
        bed.server.changeScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));

        assertThatThrownBy(() -> extend(bed.handle("a", 0), 90).join())
                .cause()
                .isInstanceOfSatisfying(
                        AckFailedException.class, e -> assertThat(e.isFatal()).isFalse())
                .hasMessageContaining("INVALID_RECEIPT_HANDLE");
    }

    @Test
    void theNewestHandleOfThePartsIsUsed() {
        RocketMQReceiptHandle first = bed.handle("a", 1, 0).part(0, 2).build();
        RocketMQReceiptHandle renewed = extend(first, 90).join();
        bed.ack(renewed);
        bed.ack(bed.handle("a", 1, 0).part(1, 2).build());

        assertThat(bed.server.acks.get(0).entries.get(0).receiptHandle()).isEqualTo("renewed-1");
    }

    @Test
    void aMessageThatComesBackWithADeferredOneIsNotExtended() {
        bed.defer("a", 0, 10_000);
        RocketMQReceiptHandle letGo = bed.handle("a", 2);

        assertThat(extend(letGo, 90)).isCompletedWithValue(letGo);
        assertThat(bed.server.changes).hasSize(1);
    }

    @Test
    void theMemoryOfADeferredDeliveryFollowsItsLongestLease() {
        bed.defer("a", 1, 600_000);
        extend(bed.handle("a", 0), 120);
        bed.timer.advance(61_000);

        assertThat(bed.ack("a", 2)).isCompletedWithValue(AckOutcome.DROPPED);
    }
}
