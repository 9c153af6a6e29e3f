/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits, bounded, until the server shows an effect. */
final class Await {

    private static final long INTERVAL_MS = 50;

    private Await() {}

    static void until(Callable<Boolean> condition, long seconds, Supplier<String> what)
            throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new TimeoutException(what.get() + " (waited " + seconds + " s)");
            }
            Thread.sleep(INTERVAL_MS);
        }
    }
}
