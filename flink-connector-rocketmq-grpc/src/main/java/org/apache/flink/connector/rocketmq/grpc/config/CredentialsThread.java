/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The daemon thread {@code rocketmq-credentials-N} that a resolver may block: one per endpoint, and
 * one for its begin and its end. Ends when it had nothing to do for 10 s, and is interrupted by
 * {@link #close}, which waits for nothing.
 */
final class CredentialsThread implements Executor, AutoCloseable {

    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final long IDLE_SECONDS = 10;
    private static final int MAX_WAITING = 4;

    private final ThreadPoolExecutor executor;

    CredentialsThread() {
        long number = NUMBERS.incrementAndGet();
        executor =
                new ThreadPoolExecutor(
                        1,
                        1,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        task -> {
                            Thread thread = new Thread(task, "rocketmq-credentials-" + number);
                            thread.setDaemon(true);
                            thread.setContextClassLoader(CredentialsThread.class.getClassLoader());
                            return thread;
                        });
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    /** Takes nothing more and ends when it has done what it has. */
    void end() {
        executor.shutdown();
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
