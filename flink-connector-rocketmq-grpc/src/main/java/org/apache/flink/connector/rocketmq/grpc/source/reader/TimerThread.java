/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The timer of one reader: one daemon thread, begun with the first action, ended by {@link
 * #close()}. Its context class loader is that of the job, for the renewal policy. Thread-safe.
 */
final class TimerThread implements SourceTimer {

    private final ScheduledThreadPoolExecutor executor;

    TimerThread(int subtask, ClassLoader userCode) {
        executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        action -> {
                            Thread thread = new Thread(action, "rocketmq-source-timer-" + subtask);
                            thread.setDaemon(true);
                            thread.setContextClassLoader(userCode);
                            return thread;
                        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void after(Duration delay, Runnable action) {
        try {
            executor.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            if (!executor.isShutdown()) {
                throw e;
            }
        }
    }

    /** Waits, bounded, until the last action has ended; only after {@link #close}. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return executor.awaitTermination(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
