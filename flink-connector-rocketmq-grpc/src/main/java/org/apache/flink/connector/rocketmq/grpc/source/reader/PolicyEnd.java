/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.InvisibleDurationRenewalPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a renewal policy: the user's code, which may block. It runs on a timer thread of its
 * own, whose end is this call's, and whoever closes waits for a bounded time only. No state.
 */
final class PolicyEnd {

    /** How long a policy may take to close. */
    static final Duration LIMIT = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(PolicyEnd.class);

    private PolicyEnd() {}

    /**
     * Closes a policy when the timer that asks it has ended. An interrupt does not shorten it, and
     * is kept.
     *
     * @param asking the timer of the reader, which ends here if it has not yet
     * @param thread a timer that did nothing yet; closed when this returns
     */
    static void close(
            InvisibleDurationRenewalPolicy policy, TimerThread asking, TimerThread thread) {
        asking.close();
        FutureTask<Void> closing =
                new FutureTask<>(
                        () -> {
                            closeAfter(asking, policy);
                            return null;
                        });
        thread.after(Duration.ZERO, closing);
        long deadline = System.nanoTime() + LIMIT.toNanos();
        boolean interrupted = false;
        while (!closing.isDone()) {
            try {
                closing.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                LOG.warn(
                        "renewal policy {} did not close within {} ms: interrupted",
                        policy.getClass().getName(),
                        LIMIT.toMillis());
                closing.cancel(true);
            } catch (ExecutionException e) {
                // an Error; every exception was logged where it was thrown
                LOG.warn("renewal policy {} did not close", policy.getClass().getName(), e);
            }
        }
        thread.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeAfter(TimerThread asking, InvisibleDurationRenewalPolicy policy)
            throws InterruptedException {
        // longer than the caller waits, who says so and interrupts this
        if (!asking.awaitEnd(LIMIT.multipliedBy(2))) {
            return;
        }
        try {
            policy.close();
        } catch (Exception e) {
            LOG.warn("renewal policy {} did not close", policy.getClass().getName(), e);
        }
    }
}
