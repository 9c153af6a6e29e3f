/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayDeque;
import org.apache.flink.util.clock.Clock;

/**
 * Knows how long the oldest message waits in a reader. Messages leave in about the order they came,
 * so counting is enough: one entry per answer that still has waiting messages, which the room of
 * the reader bounds. Thread-safe; one lock.
 */
final class OldestWait {

    private final Clock clock;
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();

    OldestWait(Clock clock) {
        this.clock = clock;
    }

    /** So many messages came. */
    synchronized void arrived(int messages) {
        arrivals.addLast(new Arrival(clock.relativeTimeMillis(), messages));
    }

    /** One message left the reader. */
    synchronized void left() {
        Arrival oldest = arrivals.peekFirst();
        if (oldest != null && --oldest.waiting == 0) {
            arrivals.removeFirst();
        }
    }

    /** How long the oldest waits, in milliseconds; 0 if none does. */
    synchronized long millis() {
        Arrival oldest = arrivals.peekFirst();
        return oldest == null ? 0 : clock.relativeTimeMillis() - oldest.atMillis;
    }

    /** The messages of one answer. */
    private static final class Arrival {
        private final long atMillis;
        private int waiting;

        private Arrival(long atMillis, int waiting) {
            this.atMillis = atMillis;
            this.waiting = waiting;
        }
    }
}
