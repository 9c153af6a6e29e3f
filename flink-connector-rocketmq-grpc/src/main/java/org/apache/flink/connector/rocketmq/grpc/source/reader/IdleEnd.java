/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import org.apache.flink.util.clock.Clock;

/**
 * Says when a bounded reader has been idle for long enough to end.
 *
 * <p>Idle time counts from the latest of: the join plus a grace, because a backlog reaches a reader
 * that joins after 5 to 15 s; the last message or failed poll; and the end of the last lease of
 * what was emitted or comes back, because until then more of its lite topic may come. A successor
 * of a delivery is emitted later, so the last lease is that of a delivery without one.
 *
 * <p>Thread-safe: the client's I/O thread, the task thread, the timer and the fetcher call; one
 * lock.
 */
final class IdleEnd {

    /** 5 s until the broker dispatches, up to 10 s until it scans, and a margin. */
    static final Duration JOIN_GRACE = Duration.ofSeconds(20);

    private final long idleMillis;
    private final long graceMillis;
    private final Clock clock;

    private long idleSince;

    /**
     * @param idle how long nothing may come
     * @param joinGrace how long after a join nothing needs to come
     */
    IdleEnd(Duration idle, Duration joinGrace, Clock clock) {
        this.idleMillis = idle.toMillis();
        this.graceMillis = joinGrace.toMillis();
        this.clock = clock;
        joined();
    }

    /** The reader joins the group, again or for the first time. */
    void joined() {
        busyUntil(clock.absoluteTimeMillis() + graceMillis);
    }

    /** Something came, or failed to. */
    void active() {
        busyUntil(clock.absoluteTimeMillis());
    }

    /** Until then something may come back or follow; milliseconds since the epoch. */
    synchronized void busyUntil(long millis) {
        idleSince = Math.max(idleSince, millis);
    }

    /** How long until the end if nothing comes; zero when it is reached. */
    synchronized Duration left() {
        long over = clock.absoluteTimeMillis() - idleSince;
        return Duration.ofMillis(Math.max(0, idleMillis - over));
    }
}
