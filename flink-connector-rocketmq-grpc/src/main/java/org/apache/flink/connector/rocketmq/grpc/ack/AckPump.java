/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends the acks of a completed checkpoint without making the task wait: as many as its own bound
 * allows, and the next ones as answers come in. It takes none of the places in flight that the
 * users of the client share, so it neither waits for one nor keeps another user waiting; what is
 * repeated, as at a cluster that is away, counts only beyond the bound of that. Thread-safe: filled
 * by the task thread, emptied by it and by threads of the client, by one at a time: who comes while
 * another one sends leaves the work to that one, so an answer that comes at once does not nest.
 * Holds what {@link PendingHandles} bounds.
 */
final class AckPump {

    /** A lease that ends within this may have ended at the server; a new handle is waited for. */
    private static final long LEASE_MARGIN_MILLIS = 2_000;

    private final AckingOperator acks;
    private final long maxInFlight;
    private final Queue<PendingHandle> ready = new ConcurrentLinkedQueue<>();
    private final AtomicInteger wanted = new AtomicInteger();
    private volatile boolean closed;

    /**
     * @param maxInFlight what the other users of the client share; half as many may be in flight
     *     here
     */
    AckPump(AckingOperator acks, int maxInFlight) {
        this.acks = acks;
        this.maxInFlight = Math.max(2, maxInFlight / 2);
    }

    /** These are to be acked, in this order. */
    void send(Collection<PendingHandle> covered) {
        ready.addAll(covered);
        pump();
    }

    /** Sends what may be sent, or has the thread do it that is sending already. */
    void pump() {
        if (wanted.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            sendReady();
            seen = wanted.addAndGet(-seen);
        } while (seen > 0);
    }

    /**
     * Sends nothing more.
     *
     * @return how many were not sent; they stand in a completed checkpoint, or come back
     */
    int close() {
        closed = true;
        int left = 0;
        while (ready.poll() != null) {
            left++;
        }
        return left;
    }

    private void sendReady() {
        while (!closed && !ready.isEmpty() && acks.stats().inFlightAtFirst() < maxInFlight) {
            PendingHandle next = ready.poll();
            if (next != null) {
                ackWithNewest(next);
            }
        }
    }

    private void ackWithNewest(PendingHandle pending) {
        boolean fresh =
                pending.handle().getLeaseEndMillis() - System.currentTimeMillis()
                        > LEASE_MARGIN_MILLIS;
        if (fresh || pending.renewal().isDone()) {
            ack(pending);
        } else {
            pending.renewal().thenRun(() -> ack(pending));
        }
    }

    private void ack(PendingHandle pending) {
        acks.submitAck(pending.handle())
                .whenComplete(
                        (outcome, failure) -> {
                            pending.done();
                            pump();
                        });
    }
}
