/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.ArrayDeque;
import org.apache.flink.util.clock.Clock;

/**
 * Knows how long messages wait in a reader, and from that how many may: with more, the newest would
 * wait for longer than a share of their lease at the rate at which messages leave, and would expire
 * before they are emitted when downstream stands still for a while.
 *
 * <p>Messages leave in about the order they came, so counting is enough: one entry per answer that
 * still has waiting messages, which the room of the reader bounds. When the last message of an
 * answer leaves, the number that waited at its arrival and the time since then give the rate.
 *
 * <p>Thread-safe; one lock, and nothing foreign is called under it.
 */
final class WaitingTimes {

    /** The part of its lease that a message may wait: one of so many. */
    private static final int PART = 2;

    /** Any number may wait. */
    static final long ANY = Integer.MAX_VALUE;

    private final Clock clock;
    private final long longestMillis;
    private final ArrayDeque<Arrival> arrivals = new ArrayDeque<>();
    private long waiting;
    private long mayWait = ANY;

    /**
     * @param lease how long a message stays invisible, more than 0
     */
    WaitingTimes(Clock clock, Duration lease) {
        this.clock = clock;
        this.longestMillis = lease.toMillis() / PART;
    }

    /** So many messages came. */
    synchronized void arrived(int messages) {
        waiting += messages;
        arrivals.addLast(new Arrival(clock.relativeTimeMillis(), messages, waiting));
    }

    /** One message left the reader. */
    synchronized void left() {
        Arrival oldest = arrivals.peekFirst();
        if (oldest == null) {
            return;
        }
        waiting--;
        if (--oldest.waiting == 0) {
            arrivals.removeFirst();
            learn(oldest.total, Math.max(1, clock.relativeTimeMillis() - oldest.atMillis));
        }
    }

    /**
     * Sinks at once, so that little expires, and rises by at most twofold per answer, so that one
     * message that found an idle downstream opens the door only for a few.
     */
    private void learn(long left, long millis) {
        long fitting = Math.max(1, left * longestMillis / millis);
        mayWait = Math.min(ANY, Math.min(fitting, 2 * mayWait));
    }

    /** How many messages may wait, at least 1. */
    synchronized long mayWait() {
        return mayWait;
    }

    /** How long the oldest waits, in milliseconds; 0 if none does. */
    synchronized long oldestMillis() {
        Arrival oldest = arrivals.peekFirst();
        return oldest == null ? 0 : clock.relativeTimeMillis() - oldest.atMillis;
    }

    /** The messages of one answer. */
    private static final class Arrival {
        private final long atMillis;
        private final long total;
        private int waiting;

        /**
         * @param total how many waited with it
         */
        private Arrival(long atMillis, int waiting, long total) {
            this.atMillis = atMillis;
            this.waiting = waiting;
            this.total = total;
        }
    }
}
