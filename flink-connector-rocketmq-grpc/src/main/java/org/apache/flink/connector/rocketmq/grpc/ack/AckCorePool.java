/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;

/**
 * Reference-counted cores by configuration: the first lease makes one, the last one closes it, and
 * whoever comes while it closes gets a new one.
 *
 * <p>Thread-safe. The lock guards the entries and their counts. Making, which may run the code of a
 * user, and closing happen outside of it: only who wants the same core waits for its making.
 */
final class AckCorePool {

    /**
     * How long a task waits for the core that another one makes: longer than a resolver may take.
     */
    static final Duration MAX_WAIT = Duration.ofSeconds(60);

    private final Function<AckConfig, AckCore> factory;
    private final Duration maxWait;
    private final Map<Key, Shared> cores = new HashMap<>();

    AckCorePool(Function<AckConfig, AckCore> factory) {
        this(factory, MAX_WAIT);
    }

    AckCorePool(Function<AckConfig, AckCore> factory, Duration maxWait) {
        this.factory = factory;
        this.maxWait = maxWait;
    }

    /**
     * The core of this configuration; to be released once. Called by a task.
     *
     * @throws RuntimeException why it could not be made, by this task or by the one it waited for
     */
    AckCore acquire(AckConfig config) {
        Key key = new Key(config);
        Shared shared;
        boolean first;
        synchronized (this) {
            shared = cores.get(key);
            first = shared == null;
            if (first) {
                shared = new Shared();
                cores.put(key, shared);
            }
            shared.leases++;
        }
        if (first) {
            make(key, shared, config);
        }
        return first ? shared.core.join() : await(shared, config);
    }

    private void make(Key key, Shared shared, AckConfig config) {
        try {
            shared.core.complete(factory.apply(config));
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                cores.remove(key, shared);
            }
            // the cancellation of one task is no reason for the others to fail
            boolean cancelled = Thread.currentThread().isInterrupted();
            shared.core.completeExceptionally(cancelled ? new CancellationException() : e);
            throw e;
        }
    }

    private AckCore await(Shared shared, AckConfig config) {
        try {
            return shared.core.get(maxWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (CancellationException e) {
            return acquire(config);
        } catch (ExecutionException e) {
            // the entry is gone already, and with it this lease
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            giveBack(shared);
            throw new IllegalStateException(
                    "another task is still making the acknowledging client of this configuration"
                            + " after "
                            + maxWait.toMillis()
                            + " ms",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            giveBack(shared);
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Gives one lease back; the last one closes the core before this returns. Any thread. */
    void release(AckCore core) {
        giveBack(shared(core));
    }

    private void giveBack(Shared shared) {
        boolean last;
        synchronized (this) {
            shared.leases--;
            last = shared.leases == 0 && cores.values().remove(shared);
        }
        if (last) {
            shared.core.join().close();
        }
    }

    private synchronized Shared shared(AckCore core) {
        return cores.values().stream()
                .filter(shared -> shared.core.getNow(null) == core)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("released more than acquired"));
    }

    /** Number of cores in use. */
    synchronized int size() {
        return cores.size();
    }

    /**
     * What must be equal to share: the configuration, and with a resolver the class loader too,
     * because under the same name another job may have another class.
     */
    private static final class Key {
        private final AckConfig config;
        private final ClassLoader loader;

        Key(AckConfig config) {
            this.config = config;
            this.loader =
                    config.client().hasResolver() ? SignedAcknowledgers.taskClassLoader() : null;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key
                    && config.equals(((Key) other).config)
                    && loader == ((Key) other).loader;
        }

        @Override
        public int hashCode() {
            return config.hashCode();
        }
    }

    /** A core, as soon as it is made, and how many use it or wait for it. */
    private static final class Shared {
        private final CompletableFuture<AckCore> core = new CompletableFuture<>();
        private int leases;
    }
}
