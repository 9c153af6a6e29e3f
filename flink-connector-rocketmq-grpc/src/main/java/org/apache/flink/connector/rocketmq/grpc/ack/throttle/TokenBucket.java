/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

/**
 * The tokens of one lite topic. The time is an argument; a clock that steps back adds nothing.
 *
 * <p>A refused message comes back later than asked for: the server's timer, the poll and the way
 * through the job take their time. What the bucket gains between the due time and the arrival is
 * kept beyond the burst, up to a limit; otherwise each deferral would cost that much of the rate.
 * What of that was not used for the same time after the arrival is lost, and the bucket holds its
 * burst again.
 */
final class TokenBucket {

    private static final long NOT_DEFERRED = Long.MAX_VALUE;

    /** Longer than anything lasts, and far from overflow when added to a time. */
    private static final double FOREVER_MILLIS = Long.MAX_VALUE / 4;

    private double tokens;
    private double capacity;
    private long updatedMillis;
    private long dueMillis = NOT_DEFERRED;
    private long madeGoodUntilMillis = Long.MAX_VALUE;

    /** A full bucket. */
    TokenBucket(double burst, long now) {
        this.tokens = burst;
        this.capacity = burst;
        this.updatedMillis = now;
    }

    /** Adds what the time since the last call brought. */
    void refill(Limits limits, long now) {
        if (now > dueMillis) {
            long late = Math.min(now - dueMillis, limits.maxLateMillis);
            capacity = limits.burst + late * limits.perMilli;
            dueMillis = NOT_DEFERRED;
            madeGoodUntilMillis = now + limits.maxLateMillis;
        } else if (now >= madeGoodUntilMillis) {
            capacity = limits.burst;
        }
        long elapsed = Math.max(0, now - updatedMillis);
        tokens = Math.min(capacity, tokens + elapsed * limits.perMilli);
        updatedMillis = now;
    }

    /** Takes a token if there is one. */
    boolean tryTake() {
        if (tokens < 1) {
            return false;
        }
        tokens -= 1;
        return true;
    }

    /** Takes a token that may not be there yet: the debt is paid before the next refusal ends. */
    void takeAnyway() {
        tokens -= 1;
    }

    /**
     * Notes that a message was refused.
     *
     * @return milliseconds until there are {@code wanted} tokens, at least 1
     */
    long refuse(Limits limits, double wanted, long now) {
        long wait = Math.max(1, millisFor(wanted - tokens, limits.perMilli));
        capacity = limits.burst;
        dueMillis = now + wait;
        return wait;
    }

    /** True once the bucket is as full as a new one, whatever became of its last deferral. */
    boolean isFull(Limits limits, long now) {
        return now - updatedMillis >= limits.fullAfterMillis;
    }

    private static long millisFor(double tokens, double perMilli) {
        return (long) Math.min(FOREVER_MILLIS, Math.ceil(tokens / perMilli));
    }

    /** What all buckets of a policy share. Immutable. */
    static final class Limits {
        private final double burst;
        private final double perMilli;
        private final long maxLateMillis;
        private final long fullAfterMillis;

        /**
         * @param ratePerSecond more than 0
         * @param burst at least 1
         * @param maxDebt tokens a bucket may be below zero
         * @param maxLateMillis how much lateness of a deferred message is made good
         */
        Limits(double ratePerSecond, double burst, double maxDebt, long maxLateMillis) {
            this.burst = burst;
            this.perMilli = ratePerSecond / 1000;
            this.maxLateMillis = maxLateMillis;
            this.fullAfterMillis = millisFor(burst + maxDebt, perMilli) + maxLateMillis;
        }
    }
}
