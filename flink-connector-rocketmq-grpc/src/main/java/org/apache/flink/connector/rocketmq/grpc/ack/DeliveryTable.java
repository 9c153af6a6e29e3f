/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The deliveries a session knows, oldest first, which one of each lite topic is the newest, and
 * when to look at each again. Bounded by the caller, who asks for {@link #oldest()} when it is
 * full; of what was complete the last 16,384 are remembered. Guarded by the session's lock.
 *
 * <p>A delivery has one valid check at a time; an entry of the queue that is no longer the one its
 * delivery says is skipped, and the queue is rebuilt before such entries outnumber the deliveries.
 */
final class DeliveryTable {

    private static final int SLACK = 64;
    private static final int MAX_COMPLETED = 16_384;
    private static final BitSet NOTHING_STALE = new BitSet(0);

    private final Map<DeliveryKey, Delivery> deliveries = new LinkedHashMap<>();
    private final Map<DeliveryKey, Delivery> newest = new HashMap<>();
    private final Map<DeliveryKey, BitSet> completed =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<DeliveryKey, BitSet> eldest) {
                    return size() > MAX_COMPLETED;
                }
            };
    private PriorityQueue<Check> checks = new PriorityQueue<>();

    Delivery find(DeliveryKey key) {
        return deliveries.get(key);
    }

    /**
     * @return the delivery that is over because a later one of its lite topic is known: the one
     *     before, or this one itself; null if there is none
     */
    Delivery add(Delivery delivery) {
        deliveries.put(delivery.key(), delivery);
        DeliveryKey liteTopic = delivery.key().liteTopicKey();
        Delivery known = newest.get(liteTopic);
        if (known != null && known.key().deliveryId() > delivery.key().deliveryId()) {
            return delivery;
        }
        newest.put(liteTopic, delivery);
        return known;
    }

    /** Everything of it is settled: only how that ended is remembered, for acks that come again. */
    void complete(Delivery delivery) {
        remove(delivery);
        BitSet stale = delivery.staleIndexes();
        completed.put(delivery.key(), stale.isEmpty() ? NOTHING_STALE : stale);
    }

    /** How a message of a delivery that was complete ended; null if that is not known. */
    AckOutcome outcomeBefore(DeliveryKey key, int index) {
        BitSet stale = completed.get(key);
        if (stale == null) {
            return null;
        }
        return stale.get(index) ? AckOutcome.STALE : AckOutcome.SETTLED;
    }

    void remove(Delivery delivery) {
        newest.remove(delivery.key().liteTopicKey(), delivery);
        deliveries.remove(delivery.key(), delivery);
        delivery.nextCheck(Long.MAX_VALUE);
    }

    void clear() {
        deliveries.clear();
        newest.clear();
        completed.clear();
        checks.clear();
    }

    int size() {
        return deliveries.size();
    }

    /** The one known for the longest time; there must be one. */
    Delivery oldest() {
        Iterator<Delivery> oldestFirst = deliveries.values().iterator();
        return oldestFirst.next();
    }

    /** All of them; a copy, so that the caller may change the table. */
    List<Delivery> all() {
        return new ArrayList<>(deliveries.values());
    }

    /** Looks at a delivery at this time, unless it does so earlier. */
    void checkAt(Delivery delivery, long atMillis) {
        if (atMillis < delivery.nextCheck()) {
            delivery.nextCheck(atMillis);
            checks.add(new Check(delivery, atMillis));
            if (checks.size() > 4 * deliveries.size() + SLACK) {
                rebuild(deliveries.values());
            }
        }
    }

    private void rebuild(Collection<Delivery> all) {
        checks = new PriorityQueue<>();
        for (Delivery delivery : all) {
            if (delivery.nextCheck() != Long.MAX_VALUE) {
                checks.add(new Check(delivery, delivery.nextCheck()));
            }
        }
    }

    /** A delivery to look at now, whose check is used up; null if there is none. */
    Delivery pollDue(long nowMillis) {
        while (!checks.isEmpty() && checks.peek().atMillis <= nowMillis) {
            Check check = checks.poll();
            if (check.isValid()) {
                check.delivery.nextCheck(Long.MAX_VALUE);
                return check.delivery;
            }
        }
        return null;
    }

    /** Time of the next check; the end of time if there is none. */
    long nextCheck() {
        while (!checks.isEmpty() && !checks.peek().isValid()) {
            checks.poll();
        }
        return checks.isEmpty() ? Long.MAX_VALUE : checks.peek().atMillis;
    }

    /** When to look at a delivery. */
    private static final class Check implements Comparable<Check> {
        private final Delivery delivery;
        private final long atMillis;

        Check(Delivery delivery, long atMillis) {
            this.delivery = delivery;
            this.atMillis = atMillis;
        }

        boolean isValid() {
            return delivery.nextCheck() == atMillis;
        }

        @Override
        public int compareTo(Check other) {
            return Long.compare(atMillis, other.atMillis);
        }
    }
}
