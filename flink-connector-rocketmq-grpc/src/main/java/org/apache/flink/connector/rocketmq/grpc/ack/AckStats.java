/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What became of the calls of one lease of the acknowledging client. Written by any thread; the
 * counters are atomic, the gauges are guarded by this object's lock.
 */
final class AckStats {

    final AtomicLong settled = new AtomicLong();
    final AtomicLong stale = new AtomicLong();
    final AtomicLong dropped = new AtomicLong();
    final AtomicLong retried = new AtomicLong();
    final AtomicLong failures = new AtomicLong();
    final AtomicLong deferrals = new AtomicLong();
    final AtomicLong deferralRpcs = new AtomicLong();
    final AtomicLong heldOverflows = new AtomicLong();
    final AtomicLong lostAtClose = new AtomicLong();
    final AtomicLong released = new AtomicLong();
    final AtomicLong leftToLease = new AtomicLong();

    private volatile long leaseLeftMillis;
    private long inFlight;
    private long held;
    private long repeating;

    /**
     * An ack was asked for.
     *
     * @param leaseLeft milliseconds until the lease of the message ends; negative if it has ended
     */
    void asked(long leaseLeft) {
        leaseLeftMillis = leaseLeft;
    }

    /** What the message of the latest ack had left of its lease, in milliseconds. */
    long leaseLeft() {
        return leaseLeftMillis;
    }

    /** A call ended without failure. */
    void count(AckOutcome outcome) {
        switch (outcome) {
            case SETTLED:
                settled.incrementAndGet();
                break;
            case STALE:
                stale.incrementAndGet();
                break;
            case DROPPED:
            default:
                dropped.incrementAndGet();
        }
    }

    /** A call came in. */
    synchronized void began() {
        inFlight++;
    }

    /** A call in flight is repeated, or waits behind what is: it takes no place any more. */
    synchronized void repeats() {
        repeating++;
    }

    /** A call waits for its place or for its other parts. */
    synchronized void holds(boolean repeated) {
        inFlight--;
        repeating -= repeated ? 1 : 0;
        held++;
        notifyAll();
    }

    /** A waiting call leaves for the server. */
    synchronized void leaves() {
        held--;
        inFlight++;
    }

    /** A call has its end. */
    synchronized void ended(boolean wasHeld, boolean wasRepeated) {
        repeating -= wasRepeated ? 1 : 0;
        if (wasHeld) {
            held--;
        } else {
            inFlight--;
        }
        notifyAll();
    }

    /** Calls on their way to the server, those that are repeated among them. */
    synchronized long inFlight() {
        return inFlight;
    }

    /** Calls on their way that take no place, because they are repeated or wait behind these. */
    synchronized long repeating() {
        return repeating;
    }

    /** Calls on their way that are not repeated. */
    synchronized long inFlightAtFirst() {
        return inFlight - repeating;
    }

    /** Calls that wait for their place in the order, for their other parts, or parked. */
    synchronized long held() {
        return held;
    }

    /**
     * Waits until no call is left.
     *
     * @return false if some were left when the time was up
     */
    synchronized boolean awaitNothingLeft(long millis) throws InterruptedException {
        return await(millis, () -> inFlight + held);
    }

    /**
     * Waits until no call is on its way to the server, whatever is held.
     *
     * @return false if some were when the time was up
     */
    synchronized boolean awaitNothingInFlight(long millis) throws InterruptedException {
        return await(millis, () -> inFlight);
    }

    private boolean await(long millis, LongSupplier calls) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (calls.getAsLong() > 0) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            wait(left);
        }
        return true;
    }
}
