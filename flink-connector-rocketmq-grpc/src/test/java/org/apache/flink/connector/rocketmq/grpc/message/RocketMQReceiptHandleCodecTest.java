/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.util.Arrays;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;

class RocketMQReceiptHandleCodecTest {

    @Test
    void aMessageBecomesAHandleThatSettlesIt() {
        LiteMessage message =
                LiteMessage.builder()
                        .from("LiteMainTopic", "tenant-1")
                        .messageId("01AB")
                        .receiptHandle("receipt")
                        .position("broker-a", 77L, 5L)
                        .deliveryAttempt(2)
                        .bornTimestamp(11L)
                        .leaseEndMillis(22L)
                        .build();

        RocketMQReceiptHandle handle =
                RocketMQReceiptHandleCodec.begin(message, "127.0.0.1:8081", null, "GID-lite")
                        .place(3, true)
                        .build();

        assertThat(handle)
                .isEqualTo(
                        RocketMQReceiptHandle.builder()
                                .route("127.0.0.1:8081", "", "GID-lite")
                                .message("LiteMainTopic", "tenant-1", "01AB")
                                .receipt("receipt", 22L)
                                .delivery("broker-a", 77L, 2)
                                .place(3, true)
                                .bornTimestamp(11L)
                                .build());
        AckEntry entry = RocketMQReceiptHandleCodec.toEntry(handle);
        assertThat(entry.topic()).isEqualTo("LiteMainTopic");
        assertThat(entry.liteTopic()).isEqualTo("tenant-1");
        assertThat(entry.messageId()).isEqualTo("01AB");
        assertThat(entry.receiptHandle()).isEqualTo("receipt");
    }

    @Test
    void extraReceiptsComeBeforeTheMessageThatCarriesThem() {
        assertThat(RocketMQReceiptHandleCodec.toEntries(Handles.full()))
                .extracting(AckEntry::messageId)
                .containsExactly("01ABCDED", "01ABCDEE", "01ABCDEF");
        assertThat(RocketMQReceiptHandleCodec.toEntries(Handles.plain()))
                .extracting(AckEntry::receiptHandle)
                .containsExactly("RECEIPT-7-0");
    }

    @Test
    void aRenewedHandleDiffersInReceiptsAndLeaseOnly() {
        RocketMQReceiptHandle full = Handles.full();
        RocketMQReceiptHandle renewed =
                RocketMQReceiptHandleCodec.renewed(full, Arrays.asList("n1", "n2", "new"), 99L);

        assertThat(RocketMQReceiptHandleCodec.toEntries(renewed))
                .extracting(AckEntry::messageId, AckEntry::receiptHandle)
                .containsExactly(
                        tuple("01ABCDED", "n1"), tuple("01ABCDEE", "n2"), tuple("01ABCDEF", "new"));
        assertThat(renewed.getLeaseEndMillis()).isEqualTo(99L);
        assertThat(
                        renewed.toBuilder()
                                .receipt(full.getReceiptHandle(), full.getLeaseEndMillis())
                                .extraReceipts(full.getExtraReceipts())
                                .build())
                .isEqualTo(full);
    }

    @Test
    void aHandleIsNotRenewedWithFewerReceiptsThanItHas() {
        assertThatThrownBy(
                        () ->
                                RocketMQReceiptHandleCodec.renewed(
                                        Handles.full(), Arrays.asList("n1", "n2"), 99L))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 receipts (expected: 3)");
    }
}
