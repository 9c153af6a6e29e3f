/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the messages that wait in one reader before their leases end.
 *
 * <p>One ordered set of deadlines, looked through at regular ticks of the reader's timer as long as
 * something waits; so there is at most one timer action for the ticks and one for answers that made
 * room. At most {@value #MAX_IN_FLIGHT} renewals are under way. Each concerns one message and never
 * suspends: the handle of every message has an end of its own, and suspending would re-time what
 * was already emitted of the delivery.
 *
 * <p>A failed renewal leaves the handle as it is and is tried again at a later tick until the lease
 * ends; a stale handle is not, and a fatal failure ends the reader.
 *
 * <p>Messages are added on the client's I/O thread and removed on the task thread; the timer
 * renews, answers come on the I/O thread. One lock guards the book-keeping, none is held across a
 * request.
 */
@Internal
public final class LeaseRenewer {

    static final int MAX_IN_FLIGHT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewer.class);
    private static final Duration MIN_TICK = Duration.ofMillis(100);
    private static final Duration MAX_TICK = Duration.ofSeconds(1);
    private static final Duration MAX_INVISIBLE = Duration.ofHours(12);

    private final InvisibleDurationRenewalPolicy policy;
    private final long aheadMillis;
    private final long maxMillis;
    private final Duration tick;
    private final Host host;
    private final Clock clock;
    private final SourceMetrics metrics;
    private final TreeSet<Deadline> deadlines = new TreeSet<>();
    private final Map<WaitingLease, Deadline> waiting = new IdentityHashMap<>();

    private long added;
    private int inFlight;
    private boolean tickPending;
    private boolean drainPending;
    private boolean closed;
    private boolean warned;

    /**
     * @param policy opened already
     */
    public LeaseRenewer(
            InvisibleDurationRenewalPolicy policy,
            SourceConfig config,
            Host host,
            Clock clock,
            SourceMetrics metrics) {
        this.policy = policy;
        this.aheadMillis = config.waiting().renewalAheadTime().toMillis();
        this.maxMillis = config.waiting().renewalMaxDuration().toMillis();
        this.tick = tickOf(config.waiting().renewalAheadTime());
        this.host = host;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** A fifth of the time ahead, so that a failed renewal can be tried again. */
    private static Duration tickOf(Duration ahead) {
        Duration fifth = ahead.dividedBy(5);
        Duration atMost = fifth.compareTo(MAX_TICK) > 0 ? MAX_TICK : fifth;
        return atMost.compareTo(MIN_TICK) < 0 ? MIN_TICK : atMost;
    }

    /** Messages arrived. After {@link #close} they are frozen as they are. */
    public void add(Collection<WaitingLease> arrived) {
        boolean startTicking;
        synchronized (this) {
            if (closed) {
                arrived.forEach(WaitingLease::freeze);
                return;
            }
            for (WaitingLease lease : arrived) {
                put(lease, dueOf(lease.message()));
            }
            startTicking = noteTick();
        }
        tickLater(startTicking);
    }

    /** A message left the reader. */
    public void remove(WaitingLease lease) {
        synchronized (this) {
            Deadline deadline = waiting.remove(lease);
            if (deadline != null) {
                deadlines.remove(deadline);
            }
        }
    }

    /** Begins no renewal any more, not even one that was just decided on. */
    public void close() {
        List<WaitingLease> left;
        synchronized (this) {
            closed = true;
            left = new ArrayList<>(waiting.keySet());
            waiting.clear();
            deadlines.clear();
        }
        left.forEach(WaitingLease::freeze);
    }

    /** Messages that are watched. */
    synchronized int size() {
        return waiting.size();
    }

    private void tickLater(boolean wanted) {
        if (wanted) {
            host.after(tick, () -> guarded(this::onTick));
        }
    }

    /** Under the lock: whether a tick has to be asked for. */
    private boolean noteTick() {
        if (closed || tickPending || deadlines.isEmpty()) {
            return false;
        }
        tickPending = true;
        return true;
    }

    private void onTick() {
        renewDue();
        boolean again;
        synchronized (this) {
            tickPending = false;
            again = noteTick();
        }
        tickLater(again);
    }

    private void onDrain() {
        synchronized (this) {
            drainPending = false;
        }
        renewDue();
    }

    private void renewDue() {
        WaitingLease due = nextDue();
        while (due != null) {
            renew(due);
            due = nextDue();
        }
    }

    /** Takes the next due message and a place among those in flight; null if there is none. */
    private synchronized WaitingLease nextDue() {
        if (closed || deadlines.isEmpty() || inFlight >= MAX_IN_FLIGHT) {
            return null;
        }
        Deadline first = deadlines.first();
        if (first.millis > clock.absoluteTimeMillis()) {
            return null;
        }
        deadlines.remove(first);
        inFlight++;
        return first.lease;
    }

    private void renew(WaitingLease lease) {
        long now = clock.absoluteTimeMillis();
        Duration duration = durationFor(lease, now);
        CompletableFuture<String> answer =
                duration == null ? null : lease.begin(message -> host.renew(message, duration));
        if (answer == null) {
            forget(lease);
            return;
        }
        answer.whenComplete(
                (handle, error) ->
                        guarded(() -> answered(lease, now + duration.toMillis(), handle, error)));
    }

    /** What the policy says, within the cap; null if the message is not renewed. */
    private Duration durationFor(WaitingLease lease, long now) {
        LiteMessage message = lease.message();
        long left = message.leaseEndMillis() - now;
        long most = lease.arrivedMillis() + maxMillis - now;
        if (left <= 0 || most <= left) {
            return null;
        }
        Duration wanted = policy.renewalOf(lease.describe(now));
        if (wanted == null) {
            return null;
        }
        if (wanted.compareTo(MAX_INVISIBLE) > 0 || wanted.toMillis() <= aheadMillis) {
            throw new IllegalStateException(
                    policy.getClass().getName()
                            + ": renewal of "
                            + wanted
                            + " for message "
                            + message.messageId()
                            + " (expected: more than the renewal-ahead-time of "
                            + aheadMillis
                            + " ms and at most 12 h, or null)");
        }
        return wanted.toMillis() > most ? Duration.ofMillis(most) : wanted;
    }

    private void answered(WaitingLease lease, long leaseEnd, String handle, Throwable error) {
        Throwable cause =
                error instanceof CompletionException && error.getCause() != null
                        ? error.getCause()
                        : error;
        ErrorKind kind =
                cause instanceof RpcException
                        ? ((RpcException) cause).kind()
                        : cause == null ? null : ErrorKind.FATAL;
        if (cause == null) {
            lease.renewed(handle, leaseEnd);
            metrics.renewal();
        } else {
            lease.notRenewed();
            failed(lease.message(), cause);
        }
        if (kind == ErrorKind.STALE_HANDLE) {
            forget(lease);
        } else {
            wait(lease);
        }
        if (kind == ErrorKind.FATAL) {
            host.fail(cause);
        }
    }

    private void failed(LiteMessage message, Throwable cause) {
        metrics.renewalFailure();
        if (warned) {
            LOG.debug("not renewed: {}: {}", message, cause.toString());
            return;
        }
        warned = true;
        LOG.warn(
                "not renewed, its handle stays as it is: {}: {}; further cases are only counted"
                        + " (renewalFailures)",
                message,
                cause.toString());
    }

    /** No longer in flight and not to be renewed again. */
    private void forget(WaitingLease lease) {
        boolean drain;
        synchronized (this) {
            inFlight--;
            waiting.remove(lease);
            drain = noteDrain();
        }
        drainSoon(drain);
    }

    /**
     * No longer in flight; waits for its next renewal, or for another attempt, if it still waits.
     */
    private void wait(WaitingLease lease) {
        boolean drain;
        boolean startTicking;
        synchronized (this) {
            inFlight--;
            if (waiting.containsKey(lease)) {
                long earliest = clock.absoluteTimeMillis() + tick.toMillis();
                put(lease, Math.max(earliest, dueOf(lease.message())));
            }
            drain = noteDrain();
            startTicking = noteTick();
        }
        drainSoon(drain);
        tickLater(startTicking);
    }

    /** Under the lock: whether what is due has to be looked at before the next tick. */
    private boolean noteDrain() {
        if (closed
                || drainPending
                || inFlight != MAX_IN_FLIGHT - 1
                || deadlines.isEmpty()
                || deadlines.first().millis > clock.absoluteTimeMillis()) {
            return false;
        }
        drainPending = true;
        return true;
    }

    private void drainSoon(boolean wanted) {
        if (wanted) {
            host.after(Duration.ZERO, () -> guarded(this::onDrain));
        }
    }

    private void put(WaitingLease lease, long dueMillis) {
        Deadline deadline = new Deadline(dueMillis, added++, lease);
        deadlines.add(deadline);
        waiting.put(lease, deadline);
    }

    /** A tick early, because a message is looked at up to a tick late. */
    private long dueOf(LiteMessage message) {
        return message.leaseEndMillis() - aheadMillis - tick.toMillis();
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable t) {
            host.fail(t);
        }
    }

    /** When a message is to be renewed; ties go to the one that came first. */
    private static final class Deadline implements Comparable<Deadline> {
        private final long millis;
        private final long number;
        private final WaitingLease lease;

        private Deadline(long millis, long number, WaitingLease lease) {
            this.millis = millis;
            this.number = number;
            this.lease = lease;
        }

        @Override
        public int compareTo(Deadline other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** What the renewer needs from the reader; thread-safe, nothing in it blocks. */
    public interface Host {

        /** Sends one plain change of the invisible duration. */
        CompletableFuture<String> renew(LiteMessage message, Duration duration);

        /** Runs an action later, on the reader's timer. */
        void after(Duration delay, Runnable action);

        /** The reader cannot go on. */
        void fail(Throwable failure);
    }
}
