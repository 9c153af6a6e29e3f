/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Preconditions;

/**
 * A map whose entries end by time and whose size has a bound; the entry put longest ago goes first,
 * counted when it had not ended. For one thread.
 *
 * @param <K> key, equal by value
 * @param <V> value
 */
final class ExpiringMap<K, V> {

    private final int maxEntries;
    private final Counter evicted;
    private final LinkedHashMap<K, Slot<V>> slots = new LinkedHashMap<>();

    /**
     * @param maxEntries at least 1
     * @param evicted counts what was forgotten before its end
     */
    ExpiringMap(int maxEntries, Counter evicted) {
        Preconditions.checkArgument(maxEntries >= 1, "maxEntries: %s", maxEntries);
        this.maxEntries = maxEntries;
        this.evicted = evicted;
    }

    /** The value, or null if there is none or its time is over. */
    V get(K key, long now) {
        Slot<V> slot = slots.get(key);
        if (slot == null) {
            return null;
        }
        if (slot.endMillis <= now) {
            slots.remove(key);
            return null;
        }
        return slot.value;
    }

    /** Puts a value as the youngest entry; makes room at the old end. */
    void put(K key, V value, long endMillis, long now) {
        slots.remove(key);
        dropEnded(now);
        if (slots.size() >= maxEntries) {
            Iterator<Map.Entry<K, Slot<V>>> oldest = slots.entrySet().iterator();
            oldest.next();
            oldest.remove();
            evicted.inc();
        }
        slots.put(key, new Slot<>(value, endMillis));
    }

    void remove(K key) {
        slots.remove(key);
    }

    int size() {
        return slots.size();
    }

    /** Visits what has not ended, from the oldest to the youngest. */
    void forEach(long now, BiConsumer<K, V> action) {
        slots.forEach(
                (key, slot) -> {
                    if (slot.endMillis > now) {
                        action.accept(key, slot.value);
                    }
                });
    }

    /** Amortised: looks at the old end only, and stops at the first entry that is still good. */
    private void dropEnded(long now) {
        Iterator<Slot<V>> oldest = slots.values().iterator();
        while (oldest.hasNext() && oldest.next().endMillis <= now) {
            oldest.remove();
        }
    }

    /** A value and its end. */
    private static final class Slot<V> {
        private final V value;
        private final long endMillis;

        private Slot(V value, long endMillis) {
            this.value = value;
            this.endMillis = endMillis;
        }
    }
}
