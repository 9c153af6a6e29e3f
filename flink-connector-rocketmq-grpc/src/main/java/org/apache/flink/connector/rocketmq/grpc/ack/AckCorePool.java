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
    private final Map<AckConfig, Shared> cores = new HashMap<>();

    AckCorePool(Function<AckConfig, AckCore> factory) {
        this.factory = factory;
    }

    /** The core of this configuration; to be released once. */
    synchronized AckCore acquire(AckConfig config) {
        Shared shared = cores.get(config);
        if (shared == null) {
            shared = new Shared(factory.apply(config));
            cores.put(config, shared);
        }
        shared.leases++;
        return shared.core;
    }

    /** Gives one lease back; the last one closes the core before this returns. */
    void release(AckCore core) {
        boolean last;
        synchronized (this) {
            Shared shared = cores.get(core.config());
            shared.leases--;
            last = shared.leases == 0;
            if (last) {
                cores.remove(core.config());
            }
        }
        if (last) {
            core.close();
        }
    }

    /** Number of cores in use. */
    synchronized int size() {
        return cores.size();
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
