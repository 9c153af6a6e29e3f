/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an acknowledging operator ends, within its close timeout.
 *
 * <p>When the task ended in order, other operators may still fill the gaps that acks wait for: they
 * get a moment, then what waits goes out, unless the order is strict. After a failure or a
 * cancellation nobody fills a gap, and an ack behind one would gain nothing and commit past it
 * after a broker restart: such an ack is let go. In both cases the deliveries that are known to be
 * unfinished then become visible at once, each with one deferral by zero on its lowest unfinished
 * message; the server delivers from its first unacked message on.
 *
 * <p>Used once, by the task thread.
 */
final class OperatorEnd {

    private static final Logger LOG = LoggerFactory.getLogger(OperatorEnd.class);

    /** How long acks and deferrals may wait for what other operators still ack. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    /** The drain leaves a third of the close timeout, and at most this, for the releases. */
    private static final Duration FOR_RELEASES = Duration.ofSeconds(3);

    /** Releases under way at a time. */
    private static final int RELEASES = 64;

    private final AckConfig config;
    private final RocketMQLiteAckClient client;
    private final UnfinishedMessages unfinished;
    private final AckStats stats;
    private final long deadline;

    OperatorEnd(AckConfig config, RocketMQLiteAckClient client, UnfinishedMessages unfinished) {
        this.config = config;
        this.client = client;
        this.unfinished = unfinished;
        this.stats = client.stats();
        this.deadline = System.nanoTime() + config.closeTimeout().toNanos();
    }

    /**
     * Also after a failure or a cancellation, whose interrupt Flink (2.3) clears before it closes
     * the operators; who interrupts after that does not want to wait.
     *
     * @param healthy false if an ack failed for good
     * @param inOrder true if the task ended in order
     */
    void run(boolean healthy, boolean inOrder) {
        try {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (healthy && inOrder) {
                client.drain(shorter(GRACE, config.closeTimeout().dividedBy(2)));
                flushAndWait();
                if (stats.held() > 0) {
                    // called since the flush, when there was room in flight
                    flushAndWait();
                }
            }
            if (config.releaseOnClose()) {
                release();
            }
            client.letGo();
            stats.awaitNothingInFlight(healthy ? leftMillis() : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        long left = stats.inFlight() + stats.held();
        if (left > 0) {
            stats.lostAtClose.addAndGet(left);
            LOG.warn(
                    "{} acks and deferrals had no answer at the end; their messages come back",
                    left);
        }
    }

    private void flushAndWait() throws InterruptedException {
        if (config.order() != AckOrder.LITE_TOPIC) {
            client.flush();
        }
        stats.awaitNothingInFlight(Math.max(0, leftMillis() - forReleasesMillis()));
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private long forReleasesMillis() {
        return config.releaseOnClose()
                ? shorter(FOR_RELEASES, config.closeTimeout().dividedBy(3)).toMillis()
                : 0;
    }

    private long leftMillis() {
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    }

    private void release() throws InterruptedException {
        List<RocketMQReceiptHandle> lowest =
                unfinished.lowest(client.heldHandles(), System.currentTimeMillis());
        if (lowest.isEmpty()) {
            return;
        }
        Semaphore places = new Semaphore(RELEASES);
        AtomicInteger released = new AtomicInteger();
        int asked = 0;
        for (RocketMQReceiptHandle handle : lowest) {
            if (!places.tryAcquire(leftMillis(), TimeUnit.MILLISECONDS)) {
                break;
            }
            asked++;
            client.makeVisible(handle)
                    .whenComplete(
                            (outcome, failure) -> {
                                if (outcome == AckOutcome.SETTLED) {
                                    released.incrementAndGet();
                                }
                                places.release();
                            });
        }
        places.tryAcquire(RELEASES, leftMillis(), TimeUnit.MILLISECONDS);
        stats.released.addAndGet(released.get());
        stats.leftToLease.addAndGet(lowest.size() - released.get());
        LOG.info(
                "{} of {} unfinished deliveries made visible at once ({} asked for)",
                released,
                lowest.size(),
                asked);
    }
}
