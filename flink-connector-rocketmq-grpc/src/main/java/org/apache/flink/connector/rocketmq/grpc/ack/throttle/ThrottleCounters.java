/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;

/**
 * What a throttle did since it started. The task thread counts, except for the outcome of
 * deferrals, which the client's I/O thread counts; metric reporters read.
 */
final class ThrottleCounters {

    /** Records that went on, forced ones among them. */
    final Counter admitted = new SimpleCounter();

    /** Deliveries of which a message was refused. */
    final Counter deferredDeliveries = new SimpleCounter();

    /** Deferrals asked of the ack client: more than the deliveries only without key order. */
    final Counter deferRequests = new SimpleCounter();

    /** Records of deferred deliveries that were let go. */
    final Counter letGo = new SimpleCounter();

    /** Messages that went on against the policy, by deferrals or deliveries. */
    final Counter forcedByCount = new SimpleCounter();

    /** Messages that went on against the policy, by age. */
    final Counter forcedByAge = new SimpleCounter();

    /** Records of forced messages that went to the side output. */
    final Counter parked = new SimpleCounter();

    /** Deferrals cut to the longest one allowed. */
    final Counter cappedDurations = new SimpleCounter();

    /** Entries that the bounds of the memories forgot before their end. */
    final Counter forgotten = new SimpleCounter();

    /** Deferrals the server answered. */
    final Counter deferralsDone = new ThreadSafeSimpleCounter();

    /** Deferrals that came after the end of the lease: the message came back by itself. */
    final Counter deferralsTooLate = new ThreadSafeSimpleCounter();

    /**
     * Deferrals taken at the very end of the lease only: acks before them were not seen in time.
     */
    final Counter deferralsAtLeaseEnd = new ThreadSafeSimpleCounter();

    /** Publishes all of them in the group {@code rocketmq.throttle}. */
    void register(MetricGroup operatorGroup) {
        MetricGroup group = operatorGroup.addGroup("rocketmq").addGroup("throttle");
        group.counter("admitted", admitted);
        group.counter("deferredDeliveries", deferredDeliveries);
        group.counter("deferRequests", deferRequests);
        group.counter("letGo", letGo);
        group.counter("forcedByCount", forcedByCount);
        group.counter("forcedByAge", forcedByAge);
        group.counter("parked", parked);
        group.counter("cappedDurations", cappedDurations);
        group.counter("forgotten", forgotten);
        group.counter("deferralsDone", deferralsDone);
        group.counter("deferralsTooLate", deferralsTooLate);
        group.counter("deferralsAtLeaseEnd", deferralsAtLeaseEnd);
    }
}
