/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.annotation.Internal;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/**
 * A message that waits in the reader, its place in its delivery, and the room it takes.
 *
 * <p>Received on the client's I/O thread, emitted and given back on the task thread; a message
 * acked by the source is given back on the I/O thread.
 */
@Internal
public final class QueuedMessage {

    private final LiteMessage message;
    private final boolean first;
    private final boolean last;
    private final ReceiveWorker worker;
    private final AtomicBoolean gone = new AtomicBoolean();

    QueuedMessage(LiteMessage message, boolean first, boolean last, ReceiveWorker worker) {
        this.message = message;
        this.first = first;
        this.last = last;
        this.worker = worker;
    }

    /**
     * Sorts one answer into its deliveries, each in the order of its lite topic and in one piece.
     */
    static List<QueuedMessage> ofAnswer(List<LiteMessage> answer, ReceiveWorker worker) {
        Map<String, List<LiteMessage>> deliveries = new LinkedHashMap<>();
        for (LiteMessage message : answer) {
            deliveries.computeIfAbsent(message.liteTopic(), t -> new ArrayList<>()).add(message);
        }
        List<QueuedMessage> queued = new ArrayList<>(answer.size());
        for (List<LiteMessage> delivery : deliveries.values()) {
            for (int i = 0; i < delivery.size(); i++) {
                boolean last = i == delivery.size() - 1;
                queued.add(new QueuedMessage(delivery.get(i), i == 0, last, worker));
            }
        }
        return queued;
    }

    /** The message. */
    LiteMessage message() {
        return message;
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
        return message.body().length;
    }

    /** The message left the reader, one way or another: its room is free again. Idempotent. */
    void giveBackRoom() {
        if (gone.compareAndSet(false, true)) {
            worker.giveBack(this);
        }
    }
}
