/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import org.slf4j.Logger;

/**
 * Logs a repeated warning at most once a minute and the rest at DEBUG, so that a lasting fault
 * shows and does not flood. Used on one thread.
 */
final class WarnLimiter {

    private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

    private final Logger log;
    private final Loop loop;
    private boolean warnedBefore;
    private long lastNanos;
    private long suppressed;

    WarnLimiter(Logger log, Loop loop) {
        this.log = log;
        this.loop = loop;
    }

    /** Logs the message, at a level that depends on how long ago the last warning was. */
    void warn(String message) {
        long now = loop.nanoTime();
        if (warnedBefore && now - lastNanos < PERIOD_NANOS) {
            suppressed++;
            log.debug("{}", message);
            return;
        }
        String more = suppressed == 0 ? "" : " (and " + suppressed + " more of its kind before)";
        log.warn("{}{}", message, more);
        warnedBefore = true;
        lastNanos = now;
        suppressed = 0;
    }
}
