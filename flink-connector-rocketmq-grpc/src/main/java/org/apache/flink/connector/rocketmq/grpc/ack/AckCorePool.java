/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;

/**
 * Reference-counted cores by configuration: the first lease makes one, the last one closes it, and
 * whoever comes while it closes gets a new one. Thread-safe; closing happens outside the lock.
 */
final class AckCorePool {

    private final Function<AckConfig, AckCore> factory;
    private final Map<Key, Shared> cores = new HashMap<>();

    AckCorePool(Function<AckConfig, AckCore> factory) {
        this.factory = factory;
    }

    /** The core of this configuration; to be released once. Called by a task. */
    synchronized AckCore acquire(AckConfig config) {
        Key key = new Key(config);
        Shared shared = cores.get(key);
        if (shared == null) {
            shared = new Shared(factory.apply(config));
            cores.put(key, shared);
        }
        shared.leases++;
        return shared.core;
    }

    /** Gives one lease back; the last one closes the core before this returns. Any thread. */
    void release(AckCore core) {
        boolean last;
        synchronized (this) {
            Shared shared = shared(core);
            shared.leases--;
            last = shared.leases == 0;
            if (last) {
                cores.values().remove(shared);
            }
        }
        if (last) {
            core.close();
        }
    }

    private Shared shared(AckCore core) {
        return cores.values().stream()
                .filter(shared -> shared.core == core)
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

    /** A core and how many use it. */
    private static final class Shared {
        private final AckCore core;
        private int leases;

        Shared(AckCore core) {
            this.core = core;
        }
    }
}
