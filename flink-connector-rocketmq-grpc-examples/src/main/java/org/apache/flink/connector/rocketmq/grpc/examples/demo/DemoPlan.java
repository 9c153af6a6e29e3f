/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;

/**
 * The figures of one demo run. Immutable.
 *
 * <p>Why they are what they are: each of the {@link #PARALLELISM} workers needs {@link #WORK} per
 * message, so together they do 40 messages per second. The hot tenant sends more than that alone.
 * The broker hands out at most 32 messages of a lite topic at a time, so the flood occupies its
 * worker for 32 x 100 ms at a stretch, and the cold tenants that share the worker wait behind it;
 * longer than that when the worker turns to their input channel only after the next delivery. With
 * the token bucket at most {@link #BUCKET_BURST} hot messages stand in front of anybody.
 */
final class DemoPlan {

    /** Shortest load that gives figures worth comparing. */
    static final int MIN_SECONDS = 10;

    /** Longest load. */
    static final int MAX_SECONDS = 3600;

    /** Fewest cold tenants: fewer might all miss the worker that the hot tenant keeps busy. */
    static final int MIN_TENANTS = 10;

    /** Most cold tenants. */
    static final int MAX_TENANTS = 10_000;

    /** Subtasks of every operator. */
    static final int PARALLELISM = 4;

    /** What a worker needs for one message. */
    static final Duration WORK = Duration.ofMillis(100);

    /** Messages per second of the hot tenant. */
    static final int HOT_PER_SECOND = 60;

    /** Messages per second of all cold tenants together. */
    static final int COLD_PER_SECOND = 12;

    /** Messages per second that the bucket allows each lite topic. */
    static final int BUCKET_PER_SECOND = 3;

    /** Messages that the bucket allows each lite topic at once. */
    static final int BUCKET_BURST = 3;

    /** A window this long holds so many bursts that a cut one does not matter. */
    static final Duration LONG_WINDOW = Duration.ofSeconds(20);

    private static final double UNTHROTTLED_SHARE = 0.4;
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(4);
    private static final int WARM_UP_SHARE = 5;

    private final int seconds;
    private final int tenants;

    /**
     * @param seconds seconds of load, both phases together
     * @param tenants cold tenants
     */
    DemoPlan(int seconds, int tenants) {
        if (seconds < MIN_SECONDS || seconds > MAX_SECONDS) {
            throw new IllegalArgumentException(
                    "--seconds: " + seconds + range(MIN_SECONDS, MAX_SECONDS));
        }
        if (tenants < MIN_TENANTS || tenants > MAX_TENANTS) {
            throw new IllegalArgumentException(
                    "--tenants: " + tenants + range(MIN_TENANTS, MAX_TENANTS));
        }
        this.seconds = seconds;
        this.tenants = tenants;
    }

    private static String range(int min, int max) {
        return " (expected: " + min + " to " + max + ")";
    }

    /** Seconds of load, both phases together. */
    int seconds() {
        return seconds;
    }

    /** Cold tenants. */
    int tenants() {
        return tenants;
    }

    /** The scenario in a sentence or two. */
    String describe() {
        return String.format(
                "%d cold tenants greet, then send %d/s together, the hot one %d/s; %d workers, %d ms per message;"
                        + " bucket per lite topic %d/s, burst %d.",
                tenants,
                COLD_PER_SECOND,
                HOT_PER_SECOND,
                PARALLELISM,
                WORK.toMillis(),
                BUCKET_PER_SECOND,
                BUCKET_BURST);
    }

    /** How long a phase sends, greetings and warm-up included. */
    Duration sending(Phase phase) {
        return LoadSchedule.greeting(tenants).plus(load(phase));
    }

    /** How long a phase is under load, warm-up included. */
    Duration load(Phase phase) {
        long unthrottled = Math.round(seconds * 1000 * UNTHROTTLED_SHARE);
        return Duration.ofMillis(
                phase == Phase.UNTHROTTLED ? unthrottled : seconds * 1000L - unthrottled);
    }

    /** The first part of a phase, which no figure covers: code is compiled, buckets are full. */
    Duration warmUp(Phase phase) {
        Duration part = load(phase).dividedBy(WARM_UP_SHARE);
        return part.compareTo(LONGEST_WARM_UP) < 0 ? part : LONGEST_WARM_UP;
    }

    /** What the figures of a phase cover. */
    Duration window(Phase phase) {
        return load(phase).minus(warmUp(phase));
    }
}
