/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.ReadableConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The begin and the end of a resolver: the user's code, which may block, so both happen on a thread
 * of its own and whoever calls waits for a bounded time only.
 *
 * <p>{@link #open} is called once, and {@link #close} once after an open that succeeded.
 */
final class ResolverLife {

    /** How long a resolver may take to open. */
    static final Duration OPEN_LIMIT = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(ResolverLife.class);

    private final CredentialsResolver resolver;
    private final ClassLoader contextLoader;
    private final CredentialsThread thread = new CredentialsThread();

    /**
     * @param contextLoader the context class loader to call it with
     */
    ResolverLife(CredentialsResolver resolver, ClassLoader contextLoader) {
        this.resolver = resolver;
        this.contextLoader = contextLoader;
    }

    /**
     * Opens it. An open that fails is followed by a close, one that takes too long is interrupted
     * and followed by a close when it ends.
     *
     * @throws IllegalStateException naming the resolver and what went wrong; also when this thread
     *     is interrupted, which keeps its flag
     */
    void open(ReadableConfig options, Duration limit) {
        FutureTask<Void> opening = task(() -> resolver.open(options));
        thread.execute(opening);
        try {
            opening.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw undone(opening, text(e.getCause()), e.getCause());
        } catch (TimeoutException e) {
            throw undone(opening, "did not open within " + limit.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw undone(opening, "interrupted while it opened", e);
        }
    }

    private IllegalStateException undone(FutureTask<Void> opening, String why, Throwable cause) {
        opening.cancel(true);
        // the same thread: after the end of an open that does not heed the interrupt
        thread.execute(closing());
        thread.end();
        return new IllegalStateException("credentials resolver " + name() + ": " + why, cause);
    }

    /** Closes it; what takes longer is interrupted and left. An interrupt does not shorten it. */
    void close(Duration limit) {
        FutureTask<Void> closing = closing();
        thread.execute(closing);
        thread.end();
        long deadline = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        while (!closing.isDone()) {
            try {
                closing.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                LOG.warn("{} did not close within {} ms: interrupted", name(), limit.toMillis());
                closing.cancel(true);
            } catch (ExecutionException e) {
                // an Error; every exception was logged where it was thrown
                LOG.warn("{} did not close", name(), e.getCause());
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private FutureTask<Void> closing() {
        return task(
                () -> {
                    try {
                        resolver.close();
                    } catch (Exception e) {
                        LOG.warn("{} did not close", name(), e);
                    }
                });
    }

    private FutureTask<Void> task(Act act) {
        return new FutureTask<>(
                () -> {
                    Thread.currentThread().setContextClassLoader(contextLoader);
                    act.run();
                    return null;
                });
    }

    private String name() {
        return resolver.getClass().getName();
    }

    private static String text(Throwable failure) {
        return failure.getMessage() == null ? failure.getClass().getName() : failure.getMessage();
    }

    /** What is asked of the resolver. */
    @FunctionalInterface
    private interface Act {
        void run() throws Exception;
    }
}
