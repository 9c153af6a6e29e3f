/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.function.DoubleSupplier;
import org.apache.rocketmq.grpc.lite.Backoff;

/**
 * How long a worker waits before its next poll.
 *
 * <p>The server holds an empty poll for seconds. An empty answer that comes back sooner says
 * nothing about the health of the server: it does not end a backoff, and from the second in a row
 * on it slows the worker down to at most ten polls a second. Not thread-safe: one worker, one poll
 * at a time.
 */
final class PollPacing {

    /** An empty answer after at least this time was a real long poll. */
    static final Duration HELD = Duration.ofSeconds(1);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(125);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final Backoff failures;
    private final Backoff prematureAnswers;
    private boolean lastWasPremature;

    /**
     * @param random gives numbers from 0 (inclusive) to 1; 0.5 means no jitter
     */
    PollPacing(DoubleSupplier random) {
        this.failures = new Backoff(Backoff.DEFAULT_FIRST, Backoff.DEFAULT_LONGEST, random);
        this.prematureAnswers = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE, random);
    }

    /** Messages came. */
    Duration afterMessages() {
        succeeded();
        return Duration.ZERO;
    }

    /**
     * Nothing came.
     *
     * @param held how long the poll took
     */
    Duration afterEmpty(Duration held) {
        if (held.compareTo(HELD) >= 0) {
            succeeded();
            return Duration.ZERO;
        }
        if (!lastWasPremature) {
            lastWasPremature = true;
            return Duration.ZERO;
        }
        return prematureAnswers.next();
    }

    /** The poll failed. */
    Duration afterFailure() {
        return failures.next();
    }

    private void succeeded() {
        failures.reset();
        prematureAnswers.reset();
        lastWasPremature = false;
    }
}
