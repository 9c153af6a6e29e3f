/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/**
 * Emits the messages of one delivery, numbered without holes.
 *
 * <p>A message is held back until the next one of its delivery is known to yield records or the
 * delivery ends; all of a delivery arrived in one answer, so this takes no time of its own. Until
 * then it waits like any other: it may be renewed, or given back when the reader closes. It makes
 * the last one known as the last, and lets a message without a record ride on the handle of a
 * neighbour: the next emitted one, or the last emitted one if none follows. So nothing is acked
 * past an unfinished message. Used by the task thread.
 */
final class DeliveryEmission<OUT> {

    private final SourceConfig config;
    private final LongConsumer busyUntil;

    private List<QueuedMessage> withoutRecord = new ArrayList<>();
    private Held<OUT> held;
    private int nextIndex;
    private boolean lost;

    /**
     * @param busyUntil told the end of the lease of each message that is emitted or lost
     */
    DeliveryEmission(SourceConfig config, LongConsumer busyUntil) {
        this.config = config;
        this.busyUntil = busyUntil;
    }

    /** The next message, with its records. */
    void add(QueuedMessage message, List<OUT> records, SourceOutput<AckableMessage<OUT>> output) {
        if (records.isEmpty()) {
            withoutRecord.add(message);
            return;
        }
        if (held != null) {
            emit(held, false, output);
        }
        held = new Held<>(message, records, withoutRecord);
        withoutRecord = new ArrayList<>();
    }

    /**
     * All messages were added: emits what is held back.
     *
     * @return the messages nothing carries, because the delivery yielded no record at all; usually
     *     empty. Their room is still taken
     */
    List<QueuedMessage> end(SourceOutput<AckableMessage<OUT>> output) {
        if (held == null) {
            return withoutRecord;
        }
        held.riding.addAll(withoutRecord);
        emit(held, true, output);
        held = null;
        return Collections.emptyList();
    }

    /** Records that are held back. */
    List<OUT> heldBack() {
        return held == null ? Collections.emptyList() : held.records;
    }

    /** True if something was emitted. */
    boolean hasEmitted() {
        return nextIndex > 0;
    }

    /**
     * The lease of the delivery has ended: what was not emitted will not be.
     *
     * @return how many messages were let go before this one
     */
    int lose() {
        lost = true;
        List<QueuedMessage> let = new ArrayList<>(withoutRecord);
        if (held != null) {
            let.addAll(held.riding);
            let.add(held.message);
            held = null;
        }
        withoutRecord = new ArrayList<>();
        // a lease that was renewed may go on, and nothing comes back before the last one ends
        let.forEach(message -> busyUntil.accept(message.message().leaseEndMillis()));
        let.forEach(QueuedMessage::giveBackRoom);
        return let.size();
    }

    /** True after {@link #lose}, or if the lease of something that is held back has ended. */
    boolean isLost(long nowMillis) {
        return lost
                || isOver(withoutRecord, nowMillis)
                || held != null
                        && (isOver(held.riding, nowMillis)
                                || nowMillis >= held.message.message().leaseEndMillis());
    }

    private static boolean isOver(List<QueuedMessage> messages, long nowMillis) {
        return messages.stream().anyMatch(m -> nowMillis >= m.message().leaseEndMillis());
    }

    private void emit(Held<OUT> ready, boolean last, SourceOutput<AckableMessage<OUT>> output) {
        LiteMessage message = ready.message.freeze();
        if (message == null) {
            lost = true;
            giveBack(ready);
            return;
        }
        RocketMQReceiptHandle.Builder handle =
                RocketMQReceiptHandleCodec.begin(
                                message,
                                config.endpoints(),
                                config.namespace(),
                                config.consumerGroup())
                        .message(config.mainTopic(), message.liteTopic(), message.messageId())
                        .place(nextIndex, last)
                        .extraReceipts(receiptsOf(ready.riding));
        nextIndex++;
        busyUntil.accept(message.leaseEndMillis());
        ready.riding.forEach(rider -> busyUntil.accept(rider.message().leaseEndMillis()));
        int parts = ready.records.size();
        for (int part = 0; part < parts; part++) {
            output.collect(
                    new AckableMessage<>(ready.records.get(part), handle.part(part, parts).build()),
                    message.bornTimestamp());
        }
        giveBack(ready);
    }

    private static void giveBack(Held<?> left) {
        left.message.giveBackRoom();
        left.riding.forEach(QueuedMessage::giveBackRoom);
    }

    private static List<ExtraReceipt> receiptsOf(List<QueuedMessage> riding) {
        if (riding.isEmpty()) {
            return Collections.emptyList();
        }
        List<ExtraReceipt> receipts = new ArrayList<>(riding.size());
        for (QueuedMessage queued : riding) {
            LiteMessage message = Objects.requireNonNull(queued.freeze(), "emitted delivery");
            receipts.add(new ExtraReceipt(message.messageId(), message.receiptHandle()));
        }
        return receipts;
    }

    /** A message with records, and those before it without one. */
    private static final class Held<OUT> {
        private final QueuedMessage message;
        private final List<OUT> records;
        private final List<QueuedMessage> riding;

        private Held(QueuedMessage message, List<OUT> records, List<QueuedMessage> riding) {
            this.message = Objects.requireNonNull(message, "message");
            this.records = records;
            this.riding = riding;
        }
    }
}
