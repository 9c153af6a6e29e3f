/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Decides when a client that polls in vain has to leave and join again. A broker of server 5.5.0
 * takes a subscriber out of its dispatch for 10 s when that got nothing for 35–45 s, although it
 * polls; a message of that time then comes up to 29 s late. Leaving and joining starts that count
 * anew.
 *
 * <p>It is due when no broker gave anything for about 22 s and, for the last two seconds without a
 * break, polls were waiting in vain: then nothing is queued that leaving would delay. Pure
 * book-keeping; used on the client's I/O thread only.
 */
final class IdleRefresh {

    static final Duration IDLE = Duration.ofSeconds(22);
    static final Duration JITTER = Duration.ofSeconds(2);
    static final Duration POLLED_IN_VAIN = Duration.ofSeconds(2);

    /** Between the end of one poll and the beginning of the next. */
    private static final Duration MAX_GAP = Duration.ofSeconds(1);

    private final DoubleSupplier random;
    private long quietSince;
    private long pollingSince;
    private long lastPollEnd;
    private long dueAfter;
    private int polls;

    /**
     * @param now monotonic time in nanoseconds, like every time here
     * @param random gives numbers from 0 to 1
     */
    IdleRefresh(long now, DoubleSupplier random) {
        this.random = random;
        this.pollingSince = now;
        this.lastPollEnd = now;
        quietFrom(now);
    }

    /** A poll was sent. */
    void pollBegan(long now) {
        if (polls == 0 && now - lastPollEnd > MAX_GAP.toNanos()) {
            pollingSince = now;
        }
        polls++;
    }

    /** A poll has ended. */
    void pollEnded(long now, boolean withMessages) {
        polls--;
        lastPollEnd = now;
        if (withMessages) {
            quietFrom(now);
        }
    }

    /** The client joined, for this or another reason. */
    void joined(long now) {
        quietFrom(now);
    }

    /** Whether it is time. */
    boolean isDue(long now) {
        return polls > 0
                && now - quietSince >= dueAfter
                && now - pollingSince >= POLLED_IN_VAIN.toNanos();
    }

    private void quietFrom(long now) {
        quietSince = now;
        double offset = (2 * random.getAsDouble() - 1) * JITTER.toNanos();
        dueAfter = IDLE.toNanos() + Math.round(offset);
    }
}
