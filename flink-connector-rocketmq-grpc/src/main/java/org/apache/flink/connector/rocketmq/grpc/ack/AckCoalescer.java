/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.DoubleSupplier;
import org.apache.rocketmq.grpc.lite.AckEntry;

/**
 * Gathers the acks for one topic at one broker while a request is in flight, so that nothing
 * lingers and nothing is sent one by one under load. Guarded by the session's lock.
 */
final class AckCoalescer {

    /** Most entries of one request. */
    static final int MAX_ENTRIES = 256;

    private final Deque<PendingEntry> queue = new ArrayDeque<>();
    private final Semaphore repeats;
    private boolean inFlight;
    private boolean failing;

    /**
     * @param repeats the places of what is repeated
     */
    AckCoalescer(Semaphore repeats) {
        this.repeats = repeats;
    }

    /** Queues an entry; while the broker takes nothing, it takes no place in flight. */
    void offer(PendingEntry entry) {
        queue.add(entry);
        if (failing) {
            entry.group().repeats(repeats);
        }
    }

    /** The next request; empty if there is nothing to send or one is in flight. */
    List<PendingEntry> next() {
        List<PendingEntry> batch = new ArrayList<>();
        if (!inFlight) {
            while (!queue.isEmpty() && batch.size() < MAX_ENTRIES) {
                batch.add(queue.poll());
            }
            inFlight = !batch.isEmpty();
        }
        return batch;
    }

    /**
     * The request in flight has its answer.
     *
     * @param tookNothing true if all of it failed for now: what is queued may have long to wait, so
     *     it leaves its places in flight to what goes elsewhere
     */
    void answered(boolean tookNothing) {
        inFlight = false;
        failing = tookNothing;
        if (failing) {
            queue.forEach(entry -> entry.group().repeats(repeats));
        }
    }

    /** Forgets what is queued. */
    void clear() {
        queue.clear();
    }

    /** Named by topic and broker. */
    static String key(EntryGroup group) {
        return group.entries().get(0).topic() + '\n' + group.broker();
    }

    /** One entry on its way, with what its retries need. */
    static final class PendingEntry {
        private final AckEntry entry;
        private final EntryGroup group;
        private RetryDelay retries;

        PendingEntry(AckEntry entry, EntryGroup group) {
            this.entry = entry;
            this.group = group;
        }

        AckEntry entry() {
            return entry;
        }

        EntryGroup group() {
            return group;
        }

        /** Its retries; jitter is what it takes when it is asked for the first time. */
        RetryDelay retries(DoubleSupplier jitter) {
            if (retries == null) {
                retries = new RetryDelay(group.leaseEndMillis(), jitter);
            }
            return retries;
        }
    }
}
