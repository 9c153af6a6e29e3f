/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The deliveries a session knows, oldest first, and when to look at each again. Bounded by the
 * caller, who asks for {@link #oldest()} when it is full. Guarded by the session's lock.
 *
 * <p>A delivery has one valid check at a time; an entry of the queue that is no longer the one its
 * delivery says is skipped, and the queue is rebuilt before such entries outnumber the deliveries.
 */
final class DeliveryTable {

    private static final int SLACK = 64;

    private final Map<DeliveryKey, Delivery> deliveries = new LinkedHashMap<>();
    private PriorityQueue<Check> checks = new PriorityQueue<>();

    Delivery find(DeliveryKey key) {
        return deliveries.get(key);
    }

    void add(Delivery delivery) {
        deliveries.put(delivery.key(), delivery);
    }

    void remove(Delivery delivery) {
        deliveries.remove(delivery.key(), delivery);
        delivery.nextCheck(Long.MAX_VALUE);
    }

    void clear() {
        deliveries.clear();
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
