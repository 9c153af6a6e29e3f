/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives up the subscription of a reader that has not polled for a while because it has no room or
 * is paused: the server (5.5.0) would go on to mean lite topics for it and move them to others 10
 * to 20 s later each time. The next poll joins again.
 *
 * <p>Looks at regular ticks of the reader's timer. Polls begin on several threads; the lock makes
 * sure that a withdrawal is not asked for after the poll that should end it.
 */
final class Withdrawal {

    private static final Logger LOG = LoggerFactory.getLogger(Withdrawal.class);
    private static final Duration MIN_TICK = Duration.ofMillis(100);
    private static final Duration MAX_TICK = Duration.ofSeconds(1);

    private final Duration after;
    private final Host host;
    private final Clock clock;
    private final SourceMetrics metrics;

    private int polls;
    private long lastPoll;
    private boolean withdrawn;

    Withdrawal(Duration after, Host host, Clock clock, SourceMetrics metrics) {
        this.after = after;
        this.host = host;
        this.clock = clock;
        this.metrics = metrics;
        this.lastPoll = clock.relativeTimeNanos();
    }

    /** Begins to look. */
    void start() {
        host.after(tick(), this::look);
    }

    /**
     * A poll begins.
     *
     * @param poll sends it and returns at once
     */
    <T> CompletableFuture<T> around(PollCall<T> poll) {
        CompletableFuture<T> answer;
        boolean back;
        synchronized (this) {
            back = withdrawn;
            withdrawn = false;
            answer = poll.send();
            polls++;
        }
        if (back) {
            LOG.info("room again: joining the group");
        }
        answer.whenComplete((result, failure) -> ended());
        return answer;
    }

    private synchronized void ended() {
        polls--;
        lastPoll = clock.relativeTimeNanos();
    }

    private void look() {
        if (mayBeDue() && host.isHeldBack() && withdrawNow()) {
            LOG.info("no room for {} s: leaving the group until there is some", after.getSeconds());
            metrics.withdrawal();
        }
        host.after(tick(), this::look);
    }

    private synchronized boolean mayBeDue() {
        return !withdrawn && polls == 0 && clock.relativeTimeNanos() - lastPoll >= after.toNanos();
    }

    private synchronized boolean withdrawNow() {
        if (!mayBeDue()) {
            return false;
        }
        withdrawn = true;
        host.withdraw();
        return true;
    }

    private Duration tick() {
        Duration fifth = after.dividedBy(5);
        Duration atMost = fifth.compareTo(MAX_TICK) > 0 ? MAX_TICK : fifth;
        return atMost.compareTo(MIN_TICK) < 0 ? MIN_TICK : atMost;
    }

    /** Sends one poll. */
    @FunctionalInterface
    interface PollCall<T> {
        CompletableFuture<T> send();
    }

    /** The reader it looks at; thread-safe, nothing in it blocks. */
    interface Host {

        /** True if no worker polls or waits for the end of a pause between polls. */
        boolean isHeldBack();

        /** Gives up the subscription until the next poll. */
        void withdraw();

        /** Runs an action later. */
        void after(Duration delay, Runnable action);
    }
}
