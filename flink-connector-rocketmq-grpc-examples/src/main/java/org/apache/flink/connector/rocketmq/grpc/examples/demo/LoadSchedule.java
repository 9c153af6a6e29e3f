/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.Random;

/**
 * Which message is due when: first one greeting of each cold tenant, then the hot tenant at even
 * distances, the cold ones in turn, each within its share of time at a random moment. Both rates
 * hold exactly; the same arguments give the same schedule. Not thread-safe.
 */
final class LoadSchedule {

    /** Greetings per second. */
    static final int GREETINGS_PER_SECOND = 1000;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long SEED = 20_260_101L;

    private final Random random = new Random(SEED);
    private final long lengthNanos;
    private final int tenants;
    private final int hotPerSecond;
    private final int coldPerSecond;
    private final long greetingNanos;
    private int sequence;
    private int greeted;
    private long hotSent;
    private long coldSent;
    private long coldDueNanos;

    /**
     * @param length how long messages are due after the greetings
     * @param hotPerSecond messages per second of the hot tenant
     * @param coldPerSecond messages per second of all cold tenants together
     * @param tenants cold tenants
     */
    LoadSchedule(Duration length, int hotPerSecond, int coldPerSecond, int tenants) {
        this.greetingNanos = greeting(tenants).toNanos();
        this.lengthNanos = greetingNanos + length.toNanos();
        this.tenants = tenants;
        this.hotPerSecond = hotPerSecond;
        this.coldPerSecond = coldPerSecond;
        this.coldDueNanos = nextColdDue();
    }

    /** How long the greetings of so many tenants take. */
    static Duration greeting(int tenants) {
        return Duration.ofSeconds(tenants).dividedBy(GREETINGS_PER_SECOND);
    }

    /** Nanoseconds from the start at which the next message is due; negative at the end. */
    long nextDueNanos() {
        if (greeted < tenants) {
            return greeted * SECOND / GREETINGS_PER_SECOND;
        }
        long due = Math.min(hotDueNanos(), coldDueNanos);
        return due < lengthNanos ? due : -1;
    }

    /**
     * Takes the next message.
     *
     * @param startNanos when the load began, {@link System#nanoTime()}
     */
    Due take(long startNanos) {
        long due = nextDueNanos();
        if (due < 0) {
            throw new IllegalStateException("the schedule has ended");
        }
        if (greeted < tenants) {
            String liteTopic = Tenants.cold(greeted++);
            return new Due(liteTopic, new DemoMessage(sequence++, startNanos + due, false, true));
        }
        boolean hot = hotDueNanos() <= coldDueNanos;
        String liteTopic = hot ? Tenants.HOT : Tenants.cold((int) (coldSent % tenants));
        if (hot) {
            hotSent++;
        } else {
            coldSent++;
            coldDueNanos = nextColdDue();
        }
        return new Due(liteTopic, new DemoMessage(sequence++, startNanos + due, hot, false));
    }

    private long hotDueNanos() {
        return greetingNanos + hotSent * SECOND / hotPerSecond;
    }

    private long nextColdDue() {
        return greetingNanos + (long) ((coldSent + random.nextDouble()) * SECOND / coldPerSecond);
    }

    /** A message and where it goes. Immutable. */
    static final class Due {
        private final String liteTopic;
        private final DemoMessage message;

        Due(String liteTopic, DemoMessage message) {
            this.liteTopic = liteTopic;
            this.message = message;
        }

        /** Its lite topic. */
        String liteTopic() {
            return liteTopic;
        }

        /** The message. */
        DemoMessage message() {
            return message;
        }
    }
}
