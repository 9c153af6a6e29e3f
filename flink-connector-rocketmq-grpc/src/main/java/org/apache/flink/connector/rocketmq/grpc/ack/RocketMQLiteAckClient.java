/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * Acks, extends and defers messages that a source received, from any operator on any TaskManager.
 *
 * <p>Connections are shared: leases with equal configurations in one TaskManager (and class loader)
 * use the same sessions, one per cluster, namespace and consumer group, opened on first use. The
 * last {@link #release()} closes them. The operators that ack and defer one stream should use the
 * same configuration and see the same lite topics on the same TaskManager: order within a delivery,
 * and when a deferral may be sent, is decided from what this TaskManager saw.
 *
 * <p>Every method may be called from any thread. A call waits while {@code
 * rocketmq.ack.max-in-flight} calls are under way, all users of the shared client together, at most
 * until a lease ends; otherwise it returns at once. What is repeated is not under way: up to 16,384
 * calls of a session, those that wait behind them among these. Futures complete on threads of the
 * client: what is chained to them must not block. They fail with {@link AckFailedException}; if
 * that {@link AckFailedException#isFatal() is fatal}, the job should fail. What fails for now is
 * repeated until the invisible duration of the message ends.
 */
@PublicEvolving
public final class RocketMQLiteAckClient {

    private static final Duration LONGEST = Duration.ofHours(12);

    private static final AckCorePool POOL =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    new SignedAcknowledgers(config),
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));

    private final AckCorePool pool;
    private final AckCore core;
    private final AckStats stats = new AckStats();
    private final LeaseUse leaseUse = new LeaseUse();
    private final AtomicBoolean released = new AtomicBoolean();

    private RocketMQLiteAckClient(AckCorePool pool, AckCore core) {
        this.pool = pool;
        this.core = core;
    }

    /**
     * A lease of the shared client for this configuration; to be released by its owner. The first
     * one opens the credentials resolver, if there is one, which takes 30 s at most.
     *
     * @throws RuntimeException why the client could not be made
     */
    public static RocketMQLiteAckClient acquire(AckConfig config) {
        return acquire(POOL, config);
    }

    static RocketMQLiteAckClient acquire(AckCorePool pool, AckConfig config) {
        return new RocketMQLiteAckClient(pool, pool.acquire(config));
    }

    /**
     * Acks a message, or its part. The message is gone at the server when all of its parts are
     * acked and every earlier message of its delivery is, too.
     *
     * @return how it ended; for a part, when all parts have
     */
    public CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle) {
        leaseUse.acked(handle, core.nowMillis());
        return enter("ack", handle, (session, permit) -> session.ack(handle, stats, permit));
    }

    /**
     * Like {@link #ack}, without a place in flight and so without waiting: the caller bounds it.
     */
    CompletableFuture<AckOutcome> ackWithoutPlace(RocketMQReceiptHandle handle) {
        leaseUse.acked(handle, core.nowMillis());
        return enter(
                "ack",
                handle,
                Permit::none,
                (session, permit) -> session.ack(handle, stats, permit));
    }

    /**
     * Extends (or shortens) the lease of this message alone.
     *
     * @param invisibleDuration from now, 0 – 12 h
     * @return the handle to use from then on; the old one stays good until this completes. The same
     *     handle if the message was let go because its delivery is deferred
     */
    public CompletableFuture<RocketMQReceiptHandle> changeInvisibleDuration(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        Duration duration = checked(invisibleDuration);
        return enter(
                "extension",
                handle,
                (session, permit) -> session.extend(handle, duration, stats, permit));
    }

    /** The same, without a place in flight and so without waiting: the caller bounds it. */
    CompletableFuture<RocketMQReceiptHandle> extendWithoutPlace(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        Duration duration = checked(invisibleDuration);
        return enter(
                "extension",
                handle,
                Permit::none,
                (session, permit) -> session.extend(handle, duration, stats, permit));
    }

    /**
     * Defers a message and with it what follows in its delivery: the server is silent about its
     * lite topic for that long, then delivers again from this message on. The deferral is sent when
     * every earlier message of the delivery is settled; the time until then counts.
     *
     * @param invisibleDuration from now, 0 – 12 h
     * @return SETTLED when the server took it; STALE when the lease ended first; DROPPED when the
     *     delivery had been deferred before
     */
    public CompletableFuture<AckOutcome> defer(
            RocketMQReceiptHandle handle, Duration invisibleDuration) {
        Duration duration = checked(invisibleDuration);
        return enter(
                "deferral",
                handle,
                (session, permit) -> session.defer(handle, duration, stats, permit));
    }

    private static Duration checked(Duration duration) {
        if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "invisible duration: " + duration + " (expected: 0 to 12 h)");
        }
        return duration;
    }

    /**
     * Makes the delivery of an unfinished message visible at once, from its first unacked message
     * on; replaces a parked deferral and drops what waits. Waits for nothing but acks of earlier
     * messages that are under way. Takes no place, so the caller bounds how many are.
     *
     * @param handle the lowest message of the delivery that is known to be unfinished
     */
    CompletableFuture<AckOutcome> makeVisible(RocketMQReceiptHandle handle) {
        return enter(
                "release",
                handle,
                core::takePlaceWithoutWaiting,
                (session, permit) -> session.makeVisible(handle, stats, permit));
    }

    /** The lowest message of each delivery that waits for its place, its parts, or is parked. */
    List<RocketMQReceiptHandle> heldHandles() {
        return core.heldBy(stats);
    }

    private <T> CompletableFuture<T> enter(
            String act, RocketMQReceiptHandle handle, Request<T> request) {
        return enter(act, handle, core::takePlace, request);
    }

    private <T> CompletableFuture<T> enter(
            String act, RocketMQReceiptHandle handle, Place place, Request<T> request) {
        if (released.get()) {
            return CompletableFuture.failedFuture(
                    AckFailedException.ended(act, handle, "the client was released"));
        }
        Permit permit;
        try {
            permit = place.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(
                    AckFailedException.ended(act, handle, "interrupted"));
        }
        AckSession session;
        try {
            session = core.session(handle);
        } catch (AckFailedException e) {
            permit.giveBack();
            return CompletableFuture.failedFuture(e);
        } catch (RuntimeException e) {
            permit.giveBack();
            return CompletableFuture.failedFuture(AckFailedException.of(act, handle, e));
        }
        return request.start(session, permit);
    }

    /**
     * No more acks follow from this lease, because its input is at an end: those that wait for
     * their place go out (with {@code rocketmq.ack.order} = {@code lite-topic} they are let go),
     * and deferrals wait for nothing but what is under way. Returns at once.
     */
    public void flush() {
        core.flush(stats);
    }

    /**
     * The work behind this lease ends undone, by a failure or a cancellation: acks that wait behind
     * an unfinished message are let go ({@link AckOutcome#DROPPED}), so that nothing is sent past
     * it; deferrals wait for nothing but what is under way. Returns at once.
     */
    public void letGo() {
        core.letGo(stats);
    }

    /**
     * Waits until everything that was called through this lease has its end.
     *
     * @return how many calls are left, 0 unless the time was up
     */
    public long drain(Duration timeout) throws InterruptedException {
        return stats.awaitNothingLeft(timeout.toMillis()) ? 0 : stats.inFlight() + stats.held();
    }

    /**
     * Ends this lease. The last lease closes the connections before this returns, which takes at
     * most 2 s, 2 s more for the timer, and for a credentials resolver {@code
     * rocketmq.ack.close-timeout}; what is under way then fails. Idempotent.
     */
    public void release() {
        if (released.compareAndSet(false, true)) {
            pool.release(core);
        }
    }

    AckStats stats() {
        return stats;
    }

    /** The largest share of its lease that a message had used when it was acked lately. */
    double leaseUsed() {
        return leaseUse.largestShare(core.nowMillis());
    }

    long deliveriesForgotten() {
        return core.deliveriesForgotten();
    }

    long ordersGivenUp() {
        return core.ordersGivenUp();
    }

    /** Where a request gets its place from. */
    @FunctionalInterface
    private interface Place {
        Permit take() throws InterruptedException;
    }

    /** One kind of request of a session. */
    @FunctionalInterface
    private interface Request<T> {
        CompletableFuture<T> start(AckSession session, Permit permit);
    }
}
