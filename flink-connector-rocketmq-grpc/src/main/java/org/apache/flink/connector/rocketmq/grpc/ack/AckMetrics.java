/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** Publishes the statistics of a lease in the metric group of its operator. No state. */
final class AckMetrics {

    private AckMetrics() {}

    static void register(MetricGroup group, RocketMQLiteAckClient client) {
        AckStats stats = client.stats();
        group.counter("acksSettled", new AtomicCounter(stats.settled));
        group.counter("acksStale", new AtomicCounter(stats.stale));
        group.counter("acksDropped", new AtomicCounter(stats.dropped));
        group.counter("acksRetried", new AtomicCounter(stats.retried));
        group.counter("acksFailed", new AtomicCounter(stats.failures));
        group.counter("ackHoldsRefused", new AtomicCounter(stats.heldOverflows));
        group.counter("acksLostAtClose", new AtomicCounter(stats.lostAtClose));
        group.counter("deferrals", new AtomicCounter(stats.deferrals));
        group.counter("deferralRpcs", new AtomicCounter(stats.deferralRpcs));
        group.counter("deliveriesReleased", new AtomicCounter(stats.released));
        group.counter("deliveriesLeftToLease", new AtomicCounter(stats.leftToLease));
        group.gauge("acksInFlight", stats::inFlight);
        group.gauge("acksHeld", stats::held);
        group.gauge("ackLeaseLeft", stats::leaseLeft);
        group.gauge("ackLeaseUsed", client::leaseUsed);
        group.gauge("ackOrdersGivenUp", client::ordersGivenUp);
        group.gauge("ackDeliveriesForgotten", client::deliveriesForgotten);
    }

    /** A counter that threads of the client count with. */
    private static final class AtomicCounter implements Counter {
        private final AtomicLong value;

        AtomicCounter(AtomicLong value) {
            this.value = value;
        }

        @Override
        public void inc() {
            value.incrementAndGet();
        }

        @Override
        public void inc(long n) {
            value.addAndGet(n);
        }

        @Override
        public void dec() {
            value.decrementAndGet();
        }

        @Override
        public void dec(long n) {
            value.addAndGet(-n);
        }

        @Override
        public long getCount() {
            return value.get();
        }
    }
}
