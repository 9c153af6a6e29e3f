/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.util.concurrent.FastThreadLocalThread;
import io.grpc.netty.shaded.io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The {@link Loop} of a real client: one daemon thread that does the network I/O, the timers and
 * every callback, plus a daemon thread for name look-ups (they block) that ends after a second
 * without one.
 *
 * <p>No thread exists before the first use. Thread-safe: the fields are guarded by {@code this}.
 */
final class IoLoop implements Loop {

    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final int MAX_WAITING_LOOKUPS = 64;

    private final String role;
    private final long number = NUMBERS.incrementAndGet();
    private MultiThreadIoEventLoopGroup group;
    private EventLoop eventLoop;
    private ThreadPoolExecutor lookups;
    private boolean closed;

    /**
     * @param role part of the thread's name: {@code rocketmq-<role>-io-<number>}
     */
    IoLoop(String role) {
        this.role = role;
    }

    @Override
    public void execute(Runnable task) {
        started().execute(task);
    }

    @Override
    public boolean inLoop() {
        EventLoop loop;
        synchronized (this) {
            loop = eventLoop;
        }
        return loop != null && loop.inEventLoop();
    }

    @Override
    public Timer schedule(Runnable task, Duration delay) {
        Future<?> future =
                started().schedule(task, Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    /** What gRPC runs its transport and its callbacks on. */
    EventLoop eventLoop() {
        return started();
    }

    /** What gRPC looks names up on. */
    synchronized Executor lookups() {
        started();
        return lookups;
    }

    /** Ends the threads; tasks that are queued already still run. Idempotent, from any thread. */
    synchronized void shutdown() {
        closed = true;
        if (group != null && !group.isShuttingDown()) {
            lookups.shutdownNow();
            group.shutdownGracefully(0, 200, TimeUnit.MILLISECONDS);
        }
    }

    /** Ends the loop if nothing ever used it. @return whether that was so */
    synchronized boolean shutdownIfUnused() {
        closed |= group == null;
        return group == null;
    }

    /** Waits, bounded, until the I/O thread has ended. At once if none was ever started. */
    void awaitEnd(long nanos) throws InterruptedException {
        MultiThreadIoEventLoopGroup ending;
        synchronized (this) {
            ending = group;
        }
        if (ending != null) {
            ending.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        }
    }

    private synchronized EventLoop started() {
        if (eventLoop == null) {
            if (closed) {
                throw new RejectedExecutionException("the client is closed");
            }
            ThreadFactory threads = task -> daemon(task, "io");
            group = new MultiThreadIoEventLoopGroup(1, threads, NioIoHandler.newFactory());
            eventLoop = group.next();
            lookups =
                    new ThreadPoolExecutor(
                            1,
                            1,
                            1,
                            TimeUnit.SECONDS,
                            new LinkedBlockingQueue<>(MAX_WAITING_LOOKUPS),
                            task -> daemon(task, "dns"));
            lookups.allowCoreThreadTimeOut(true);
        }
        return eventLoop;
    }

    private Thread daemon(Runnable task, String what) {
        Thread thread =
                new FastThreadLocalThread(task, "rocketmq-" + role + "-" + what + "-" + number);
        thread.setDaemon(true);
        // not that of whoever comes first: the client may outlive it
        thread.setContextClassLoader(IoLoop.class.getClassLoader());
        return thread;
    }
}
