/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system clock and one daemon thread {@code rocketmq-ack-timer-N}, started with the first task.
 * One per shared acknowledging client, which owns and closes it.
 */
final class AckTimerThread implements AckTimer {

    private static final Logger LOG = LoggerFactory.getLogger(AckTimerThread.class);
    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final long CLOSE_MILLIS = 2_000;

    private final ScheduledThreadPoolExecutor executor;
    private volatile Thread worker;

    AckTimerThread() {
        String name = "rocketmq-ack-timer-" + NUMBERS.incrementAndGet();
        executor =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread thread = new Thread(task, name);
                            thread.setDaemon(true);
                            // not that of the job that came first
                            thread.setContextClassLoader(AckTimerThread.class.getClassLoader());
                            worker = thread;
                            return thread;
                        },
                        new ThreadPoolExecutor.AbortPolicy());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nowMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public Runnable schedule(long delayMillis, Runnable task) {
        try {
            Future<?> scheduled =
                    executor.schedule(() -> runLogged(task), delayMillis, TimeUnit.MILLISECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            LOG.debug("Not scheduled, the acknowledging client is closed");
            return () -> {};
        }
    }

    private static void runLogged(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("A task of the acknowledging client failed", e);
            throw e;
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
        Thread running = worker;
        if (running == null || running == Thread.currentThread()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            running.join(CLOSE_MILLIS);
            if (running.isAlive()) {
                LOG.warn("The timer of an acknowledging client did not end in {} ms", CLOSE_MILLIS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
