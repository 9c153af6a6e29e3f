/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Decides when a client that polls in vain has to leave and join again. A broker of server 5.5.0
 * takes a subscriber out of its dispatch for 10 s when that got nothing for 35–45 s, although it
 * polls; a message of that time then comes up to 29 s late. Leaving and joining starts that count
 * anew, at every broker.
 *
 * <p>It is due when a broker gave nothing for about 22 s and nothing is queued that leaving would
 * delay: either no broker gave anything for as long and polls were waiting in vain for the last two
 * seconds without a break, or a poll waits at every broker and none brought anything just now. So
 * an idle broker beside one that is never calm stays unprotected. Pure book-keeping; used on the
 * client's I/O thread only.
 */
final class IdleRefresh {

    static final Duration IDLE = Duration.ofSeconds(22);
    static final Duration JITTER = Duration.ofSeconds(2);
    static final Duration POLLED_IN_VAIN = Duration.ofSeconds(2);

    /** How long a busy broker must have given nothing although a poll waits there. */
    static final Duration CALM = Duration.ofMillis(300);

    /** A broker that was not polled for this long is gone. */
    static final Duration GONE = Duration.ofSeconds(60);

    /** Between the end of one poll and the beginning of the next. */
    private static final Duration MAX_GAP = Duration.ofSeconds(1);

    private final DoubleSupplier random;
    private final Map<String, AtBroker> brokers = new HashMap<>();
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
    void pollBegan(String broker, long now) {
        if (polls == 0 && now - lastPollEnd > MAX_GAP.toNanos()) {
            pollingSince = now;
        }
        polls++;
        brokers.computeIfAbsent(broker, name -> new AtBroker(now)).began(now);
    }

    /** A poll has ended. */
    void pollEnded(String broker, long now, boolean withMessages) {
        polls--;
        lastPollEnd = now;
        brokers.get(broker).ended(now, withMessages);
        if (withMessages) {
            quietFrom(now);
        }
    }

    /** The client joined, for this or another reason. */
    void joined(long now) {
        brokers.values().forEach(broker -> broker.quietSince = now);
        quietFrom(now);
    }

    /** Whether it is time. */
    boolean isDue(long now) {
        boolean allQuiet =
                polls > 0
                        && now - quietSince >= dueAfter
                        && now - pollingSince >= POLLED_IN_VAIN.toNanos();
        return allQuiet || isOneQuietAndAllCalm(now);
    }

    private boolean isOneQuietAndAllCalm(long now) {
        brokers.values().removeIf(broker -> broker.isGone(now));
        return brokers.values().stream().allMatch(broker -> broker.isCalm(now))
                && brokers.values().stream().anyMatch(broker -> broker.isQuiet(now, dueAfter));
    }

    private void quietFrom(long now) {
        quietSince = now;
        double offset = (2 * random.getAsDouble() - 1) * JITTER.toNanos();
        dueAfter = IDLE.toNanos() + Math.round(offset);
    }

    /** The polls at one broker. */
    private static final class AtBroker {
        private int polls;
        private long quietSince;
        private long lastMessage;
        private long pollingSince;
        private long lastPollEnd;

        private AtBroker(long now) {
            quietSince = now;
            lastMessage = now;
            pollingSince = now;
            lastPollEnd = now;
        }

        private void began(long now) {
            if (polls == 0 && now - lastPollEnd > CALM.toNanos()) {
                pollingSince = now;
            }
            polls++;
        }

        private void ended(long now, boolean withMessages) {
            polls--;
            lastPollEnd = now;
            if (withMessages) {
                quietSince = now;
                lastMessage = now;
            }
        }

        private boolean isGone(long now) {
            return polls == 0 && now - lastPollEnd > GONE.toNanos();
        }

        private boolean isCalm(long now) {
            return polls > 0
                    && now - lastMessage >= CALM.toNanos()
                    && now - pollingSince >= CALM.toNanos();
        }

        private boolean isQuiet(long now, long dueAfter) {
            return now - quietSince >= dueAfter && now - pollingSince >= POLLED_IN_VAIN.toNanos();
        }
    }
}
