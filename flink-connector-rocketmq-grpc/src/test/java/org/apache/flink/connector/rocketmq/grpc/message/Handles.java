/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.util.Arrays;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;

/** Receipt handles for tests. */
public final class Handles {

    private Handles() {}

    /** A handle with nothing special about it. */
    public static RocketMQReceiptHandle plain() {
        return plain("tenant-1", 7L, 0);
    }

    /** A handle at a place in a delivery. */
    public static RocketMQReceiptHandle plain(String liteTopic, long deliveryId, int index) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID-lite")
                .message("LiteMainTopic", liteTopic, "MSG-" + liteTopic + "-" + index)
                .receipt("RECEIPT-" + deliveryId + "-" + index, Long.MAX_VALUE)
                .delivery("broker-a", deliveryId, 1)
                .place(index, false)
                .bornTimestamp(1_700_000_000_000L)
                .build();
    }

    /** A handle in which every field differs from its default. */
    public static RocketMQReceiptHandle full() {
        return RocketMQReceiptHandle.builder()
                .route("10.0.0.1:8081;[::1]:9081", "租户", "GID-lite")
                .message("LiteMainTopic", "tenant-1", "01ABCDEF")
                .receipt("0 1796068180036 10000 999 0 broker-a 0 3 4001", 1_700_000_060_000L)
                .delivery("broker-a", 1_796_068_180_036L, 3)
                .place(31, true)
                .bornTimestamp(1_700_000_000_000L)
                .part(2, 3)
                .extraReceipts(
                        Arrays.asList(
                                new ExtraReceipt("01ABCDED", "0 1 2 3"),
                                new ExtraReceipt("01ABCDEE", "0 1 2 4")))
                .build();
    }
}
