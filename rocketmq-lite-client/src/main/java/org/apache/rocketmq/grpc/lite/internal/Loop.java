/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The single thread to which all state of a client is confined, with its timers. Because everything
 * runs on it, nothing behind it needs a lock, and nothing on it may block.
 */
interface Loop extends Executor {

    /** True on the loop's own thread. */
    boolean inLoop();

    /**
     * Runs a task once, later. Called from any thread.
     *
     * @throws java.util.concurrent.RejectedExecutionException after the loop ended
     */
    Timer schedule(Runnable task, Duration delay);

    /** Monotonic time; only differences mean something. */
    long nanoTime();

    /** Wall clock, milliseconds since the epoch. */
    long currentTimeMillis();

    /** A task that waits for its time. */
    interface Timer {
        /** The task will not run, unless it runs already. Idempotent. */
        void cancel();
    }
}
