/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;

/**
 * How much of their leases messages had used when they were acked: the largest share of the last
 * one to two minutes, so that a lease that is too short shows before acks come too late.
 * Thread-safe.
 */
final class LeaseUse {

    private static final long WINDOW_MILLIS = 60_000;

    private long windowEnds = Long.MIN_VALUE;
    private double before;
    private double now;

    /** A message is acked now. */
    void acked(RocketMQReceiptHandle handle, long nowMillis) {
        long lease = RocketMQReceiptHandleCodec.leaseMillis(handle);
        if (lease > 0) {
            double left = handle.getLeaseEndMillis() - nowMillis;
            note(Math.max(0, 1 - left / lease), nowMillis);
        }
    }

    private synchronized void note(double share, long nowMillis) {
        turn(nowMillis);
        now = Math.max(now, share);
    }

    private void turn(long nowMillis) {
        if (nowMillis >= windowEnds) {
            before = nowMillis >= windowEnds + WINDOW_MILLIS ? 0 : now;
            now = 0;
            windowEnds = nowMillis + WINDOW_MILLIS;
        }
    }

    /** 0 if nothing was acked lately, 1 and more if something was acked too late. */
    synchronized double largestShare(long nowMillis) {
        turn(nowMillis);
        return Math.max(before, now);
    }
}
