/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.apache.rocketmq.grpc.lite.Backoff;

/** When to repeat something that failed for now: with growing delays, until the lease ends. */
final class RetryDelay {

    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final long leaseEndMillis;
    private final Backoff backoff;

    RetryDelay(long leaseEndMillis) {
        this(leaseEndMillis, () -> ThreadLocalRandom.current().nextDouble());
    }

    RetryDelay(long leaseEndMillis, DoubleSupplier random) {
        this.leaseEndMillis = leaseEndMillis;
        this.backoff = new Backoff(FIRST, LONGEST, random);
    }

    /** True if there is no point in repeating: the message is visible again. */
    boolean isOver(long now) {
        return now >= leaseEndMillis;
    }

    /** How long to wait now, not beyond the end of the lease. */
    long nextMillis(long now) {
        return Math.max(1, Math.min(backoff.next().toMillis(), leaseEndMillis - now));
    }
}
