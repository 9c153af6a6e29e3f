/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long an ack waits for its place, and whether waiting makes sense at all: a stream that is not
 * keyed by lite topic shows in gaps that never close. Guarded by the session's lock, except for
 * {@link #isGivenUp()}, which any thread may ask.
 */
final class OrderPolicy {

    /** How long before the end of a lease what waits leaves without its place. */
    static final long LEASE_MARGIN_MILLIS = 1_000;

    /** Gaps in a row that time out before the session stops waiting. */
    static final int MAX_TIMEOUTS_IN_ROW = 3;

    private static final long WARN_EVERY_MILLIS = 10_000;
    private static final Logger LOG = LoggerFactory.getLogger(OrderPolicy.class);

    private final AckOrder order;
    private final long timeoutMillis;
    private final String route;
    private int timeoutsInRow;
    private long nextWarning = Long.MIN_VALUE;
    private volatile boolean givenUp;

    OrderPolicy(AckOrder order, Duration timeout, String route) {
        this.order = order;
        this.timeoutMillis = timeout.toMillis();
        this.route = route;
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    /** True if acks leave as they come. */
    boolean isOff() {
        return order == AckOrder.NONE || givenUp;
    }

    /** True if the session stopped waiting because the stream turned out to be out of order. */
    boolean isGivenUp() {
        return givenUp;
    }

    /** True if nothing is sent past a gap, ever. */
    boolean isStrict() {
        return order == AckOrder.LITE_TOPIC;
    }

    /**
     * Until when an ack with this lease waits behind a gap. A strict order lets it go at the end of
     * the lease; if that is over already by this machine's clock, the clocks differ and the order
     * timeout bounds the wait.
     */
    long holdUntil(long leaseEndMillis, long now) {
        if (isStrict()) {
            return leaseEndMillis > now ? leaseEndMillis : now + timeoutMillis;
        }
        return Math.max(now, Math.min(now + timeoutMillis, leaseEndMillis - LEASE_MARGIN_MILLIS));
    }

    /** True if a wait that begins now ends because of the order timeout, not of the lease. */
    boolean endsByTimeout(long leaseEndMillis, long now) {
        return !isStrict() && now + timeoutMillis <= leaseEndMillis - LEASE_MARGIN_MILLIS;
    }

    /**
     * Until when a deferral waits for what lies below it. A lease that is over already by this
     * machine's clock says that the clocks differ; then the order timeout bounds the wait. So it
     * does after the order was given up: what lies below may be acked elsewhere.
     */
    long parkedUntil(RocketMQReceiptHandle handle, long now) {
        long beforeLeaseEnd = handle.getLeaseEndMillis() - LEASE_MARGIN_MILLIS;
        if (beforeLeaseEnd <= now) {
            return now + timeoutMillis;
        }
        return givenUp ? Math.min(beforeLeaseEnd, now + timeoutMillis) : beforeLeaseEnd;
    }

    /** An ack was let go at the end of its lease; says so at most once in ten seconds. */
    void leaseEndedBehindGap(DeliveryKey delivery, long now) {
        if (now < nextWarning) {
            return;
        }
        nextWarning = now + WARN_EVERY_MILLIS;
        LOG.warn(
                "{}: an earlier message of {} was not settled until the lease ended, so the acks"
                        + " behind it were not sent; the messages are delivered again. The work on"
                        + " a whole delivery must fit into the invisible duration",
                route,
                delivery);
    }

    /** An ack got its place by waiting. */
    void gapFilled() {
        timeoutsInRow = 0;
    }

    /**
     * A gap stayed open for the whole order timeout.
     *
     * @return true if this made the session stop waiting
     */
    boolean gapTimedOut() {
        timeoutsInRow++;
        if (givenUp || timeoutsInRow < MAX_TIMEOUTS_IN_ROW) {
            return false;
        }
        givenUp = true;
        LOG.warn(
                "{}: {} times in a row an ack waited {} ms in vain for an earlier message of its"
                        + " delivery; acks leave as they come from now on. Key the stream by lite"
                        + " topic, or set rocketmq.ack.order to none",
                route,
                MAX_TIMEOUTS_IN_ROW,
                timeoutMillis);
        return true;
    }
}
