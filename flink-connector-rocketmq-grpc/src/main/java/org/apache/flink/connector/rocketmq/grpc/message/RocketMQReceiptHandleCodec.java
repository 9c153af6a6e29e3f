/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.annotation.Internal;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/**
 * Translates between what the client receives and settles and what travels through the job; the
 * only place that knows both sides. No state.
 */
@Internal
public final class RocketMQReceiptHandleCodec {

    private RocketMQReceiptHandleCodec() {}

    /**
     * The handle of a received message, begun: where the message stands in its delivery, its parts
     * and extra receipts are still to be said.
     *
     * @param endpoint endpoints in normal form
     */
    public static RocketMQReceiptHandle.Builder begin(
            LiteMessage message, String endpoint, String namespace, String consumerGroup) {
        return RocketMQReceiptHandle.builder()
                .route(endpoint, namespace, consumerGroup)
                .message(message.topic(), message.liteTopic(), message.messageId())
                .receipt(message.receiptHandle(), message.leaseEndMillis())
                .delivery(message.broker(), message.deliveryId(), message.deliveryAttempt())
                .bornTimestamp(message.bornTimestamp());
    }

    /** What the client needs to ack or defer the message of a handle. */
    public static AckEntry toEntry(RocketMQReceiptHandle handle) {
        return new AckEntry(
                handle.getTopic(),
                handle.getLiteTopic(),
                handle.getMessageId(),
                handle.getReceiptHandle());
    }

    /**
     * All entries that an ack of the handle settles, in one request: its extra receipts, then
     * itself.
     */
    public static List<AckEntry> toEntries(RocketMQReceiptHandle handle) {
        if (handle.getExtraReceipts().isEmpty()) {
            return Collections.singletonList(toEntry(handle));
        }
        List<AckEntry> entries = new ArrayList<>(handle.getExtraReceipts().size() + 1);
        for (RocketMQReceiptHandle.ExtraReceipt extra : handle.getExtraReceipts()) {
            entries.add(
                    new AckEntry(
                            handle.getTopic(),
                            handle.getLiteTopic(),
                            extra.getMessageId(),
                            extra.getReceiptHandle()));
        }
        entries.add(toEntry(handle));
        return entries;
    }

    /**
     * How long the message of a handle stays invisible in all, counted from its delivery, in
     * milliseconds; 0 if the handle does not tell.
     */
    public static long leaseMillis(RocketMQReceiptHandle handle) {
        return toEntry(handle).invisibleMillis();
    }

    /**
     * The handle to settle with after the server gave new receipts for the same delivery.
     *
     * @param newReceipts one for each of {@link #toEntries}, in that order: a receipt is refused
     *     after its own end, whatever became of the others
     * @param leaseEndMillis the end of the shortest of them
     */
    public static RocketMQReceiptHandle renewed(
            RocketMQReceiptHandle handle, List<String> newReceipts, long leaseEndMillis) {
        List<RocketMQReceiptHandle.ExtraReceipt> extras = handle.getExtraReceipts();
        if (newReceipts.size() != extras.size() + 1) {
            throw new IllegalArgumentException(
                    newReceipts.size() + " receipts (expected: " + (extras.size() + 1) + ")");
        }
        List<RocketMQReceiptHandle.ExtraReceipt> newExtras = new ArrayList<>(extras.size());
        for (int i = 0; i < extras.size(); i++) {
            newExtras.add(
                    new RocketMQReceiptHandle.ExtraReceipt(
                            extras.get(i).getMessageId(), newReceipts.get(i)));
        }
        return handle.toBuilder()
                .receipt(newReceipts.get(extras.size()), leaseEndMillis)
                .extraReceipts(newExtras)
                .build();
    }
}
