/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * Waiting times between attempts: each about twice the one before, from a first to a longest one,
 * with up to 20 % of jitter either way so that many clients do not come back in step.
 *
 * <p>Not thread-safe: one owner, one instance.
 */
public final class Backoff {

    /** First waiting time unless given. */
    public static final Duration DEFAULT_FIRST = Duration.ofMillis(100);

    /** Longest waiting time unless given. */
    public static final Duration DEFAULT_LONGEST = Duration.ofSeconds(30);

    private static final double JITTER = 0.2;

    private final long firstMillis;
    private final long longestMillis;
    private final DoubleSupplier random;
    private long nextMillis;

    /** From {@link #DEFAULT_FIRST} to {@link #DEFAULT_LONGEST}. */
    public Backoff() {
        this(DEFAULT_FIRST, DEFAULT_LONGEST, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * @param first waiting time after the first failure, at least 1 ms
     * @param longest no waiting time, jitter included, is longer
     * @param random gives numbers from 0 (inclusive) to 1; 0.5 means no jitter
     */
    public Backoff(Duration first, Duration longest, DoubleSupplier random) {
        this.firstMillis = first.toMillis();
        this.longestMillis = longest.toMillis();
        this.random = Objects.requireNonNull(random, "random");
        if (firstMillis < 1 || longestMillis < firstMillis) {
            throw new IllegalArgumentException(
                    "backoff from "
                            + first
                            + " to "
                            + longest
                            + " (expected: 1 ms <= first <= longest)");
        }
        this.nextMillis = firstMillis;
    }

    /** How long to wait now; the next call gives about twice as much, up to the longest. */
    public Duration next() {
        double factor = 1 + JITTER * (2 * random.getAsDouble() - 1);
        long jittered = Math.max(1, Math.round(nextMillis * factor));
        nextMillis = Math.min(longestMillis, nextMillis * 2);
        return Duration.ofMillis(Math.min(longestMillis, jittered));
    }

    /** An attempt succeeded: starts again from the first waiting time. */
    public void reset() {
        nextMillis = firstMillis;
    }
}
