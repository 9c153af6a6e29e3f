/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * The messages an operator answers for and has neither acked nor deferred, by delivery. Bounded:
 * beyond {@link #MAX_DELIVERIES} the delivery known for the longest time is left to its lease and
 * counted. Thread-safe: new handles come from threads of the client.
 */
final class UnfinishedMessages {

    /** Deliveries known at a time. */
    static final int MAX_DELIVERIES = 16_384;

    private final Map<Key, TreeMap<Long, RocketMQReceiptHandle>> deliveries = new LinkedHashMap<>();
    private final AtomicLong forgotten;

    UnfinishedMessages(AtomicLong forgotten) {
        this.forgotten = forgotten;
    }

    /** The operator answers for this message. */
    synchronized void put(RocketMQReceiptHandle handle) {
        Key key = new Key(handle);
        TreeMap<Long, RocketMQReceiptHandle> messages = deliveries.get(key);
        if (messages == null) {
            makeRoom();
            messages = new TreeMap<>();
            deliveries.put(key, messages);
        }
        messages.put(place(handle), handle);
    }

    private void makeRoom() {
        if (deliveries.size() >= MAX_DELIVERIES) {
            Iterator<Key> oldestFirst = deliveries.keySet().iterator();
            oldestFirst.next();
            oldestFirst.remove();
            forgotten.incrementAndGet();
        }
    }

    /** The message has a new handle, if the operator still answers for it. */
    synchronized void replace(RocketMQReceiptHandle renewed) {
        TreeMap<Long, RocketMQReceiptHandle> messages = deliveries.get(new Key(renewed));
        if (messages != null) {
            messages.replace(place(renewed), renewed);
        }
    }

    /** The message was acked. */
    synchronized void remove(RocketMQReceiptHandle handle) {
        removeRange(handle, place(handle), place(handle) + 1);
    }

    /** The message was deferred, and with it what follows in its delivery. */
    synchronized void removeFrom(RocketMQReceiptHandle handle) {
        removeRange(handle, place(handle) - handle.getPart(), Long.MAX_VALUE);
    }

    private void removeRange(RocketMQReceiptHandle handle, long from, long to) {
        Key key = new Key(handle);
        TreeMap<Long, RocketMQReceiptHandle> messages = deliveries.get(key);
        if (messages != null) {
            messages.subMap(from, to).clear();
            if (messages.isEmpty()) {
                deliveries.remove(key);
            }
        }
    }

    /**
     * The lowest unfinished message of each delivery whose lease has not ended, the oldest first.
     *
     * @param held more unfinished messages: acks that wait, and parked deferrals
     */
    synchronized List<RocketMQReceiptHandle> lowest(
            List<RocketMQReceiptHandle> held, long nowMillis) {
        Map<Key, RocketMQReceiptHandle> lowest = new LinkedHashMap<>();
        deliveries.forEach((key, messages) -> lowest.put(key, messages.firstEntry().getValue()));
        for (RocketMQReceiptHandle handle : held) {
            lowest.merge(new Key(handle), handle, UnfinishedMessages::lower);
        }
        List<RocketMQReceiptHandle> live = new ArrayList<>(lowest.values());
        live.removeIf(handle -> handle.getLeaseEndMillis() <= nowMillis);
        return live;
    }

    private static RocketMQReceiptHandle lower(RocketMQReceiptHandle a, RocketMQReceiptHandle b) {
        return place(b) < place(a) ? b : a;
    }

    /** Number of deliveries known. */
    synchronized int size() {
        return deliveries.size();
    }

    /** Order within a delivery: by message, then by part. */
    private static long place(RocketMQReceiptHandle handle) {
        return ((long) handle.getIndexInDelivery() << Integer.SIZE) + handle.getPart();
    }

    /** A delivery of one route. Immutable; equal by value. */
    static final class Key {
        private final AckRoute route;
        private final DeliveryKey delivery;

        Key(RocketMQReceiptHandle handle) {
            this.route = AckRoute.of(handle);
            this.delivery = DeliveryKey.of(handle);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key
                    && delivery.equals(((Key) other).delivery)
                    && route.equals(((Key) other).route);
        }

        @Override
        public int hashCode() {
            return Objects.hash(route, delivery);
        }
    }
}
