/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.WaitingLease;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/**
 * A message that waits in the reader, its place in its delivery, and the room it takes.
 *
 * <p>Received on the client's I/O thread, emitted and given back on the task thread; a message
 * acked by the source is given back on the I/O thread.
 */
@Internal
public final class QueuedMessage {

    private final WaitingLease lease;
    private final long bytes;
    private final boolean first;
    private final boolean last;
    private final QueuedDelivery delivery;
    private final ReceiveWorker worker;
    private final AtomicBoolean gone = new AtomicBoolean();

    private QueuedMessage(
            WaitingLease lease,
            boolean first,
            boolean last,
            QueuedDelivery delivery,
            ReceiveWorker worker) {
        this.lease = lease;
        this.bytes = lease.message().body().length;
        this.first = first;
        this.last = last;
        this.delivery = delivery;
        this.worker = worker;
    }

    /**
     * Sorts one answer into its deliveries, each in the order of its lite topic and in one piece.
     *
     * @param invisibleDuration what each message was given
     */
    static List<QueuedMessage> ofAnswer(
            List<LiteMessage> answer, Duration invisibleDuration, ReceiveWorker worker) {
        Map<String, List<LiteMessage>> deliveries = new LinkedHashMap<>();
        for (LiteMessage message : answer) {
            deliveries.computeIfAbsent(message.liteTopic(), t -> new ArrayList<>()).add(message);
        }
        List<QueuedMessage> queued = new ArrayList<>(answer.size());
        for (List<LiteMessage> messages : deliveries.values()) {
            QueuedDelivery delivery = new QueuedDelivery();
            List<QueuedMessage> ofDelivery = new ArrayList<>(messages.size());
            for (int i = 0; i < messages.size(); i++) {
                WaitingLease lease = new WaitingLease(messages.get(i), invisibleDuration);
                boolean last = i == messages.size() - 1;
                ofDelivery.add(new QueuedMessage(lease, i == 0, last, delivery, worker));
            }
            delivery.consistsOf(ofDelivery);
            queued.addAll(ofDelivery);
        }
        return queued;
    }

    /** The message, with its newest receipt handle so far. */
    LiteMessage message() {
        return lease.message();
    }

    /**
     * The message for emission: its receipt handle is the last one, no renewal begins after this.
     *
     * @return null if its delivery goes back to the server because the reader closes; then it must
     *     not be emitted
     */
    @Nullable
    LiteMessage freeze() {
        return delivery.leave() ? lease.freeze() : null;
    }

    /** Its lease, for renewal. */
    WaitingLease lease() {
        return lease;
    }

    /** The delivery it belongs to. */
    QueuedDelivery delivery() {
        return delivery;
    }

    /** True for the first message of its delivery. */
    boolean isFirst() {
        return first;
    }

    /** True for the last message of its delivery. */
    boolean isLast() {
        return last;
    }

    /** Bytes it counts for. */
    long bytes() {
        return bytes;
    }

    /** The message left the reader, one way or another: its room is free again. Idempotent. */
    void giveBackRoom() {
        if (gone.compareAndSet(false, true)) {
            worker.giveBack(this);
        }
    }
}
