/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.testing;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds up the functions of a job on a MiniCluster: a serializable name that leads every copy of it
 * in this JVM to the same barrier, which is open at first. Close it to let everybody pass for good.
 */
public final class Gate implements Serializable, AutoCloseable {

    private static final long serialVersionUID = 1L;
    private static final Map<String, Boolean> SHUT = new ConcurrentHashMap<>();
    private static final Map<String, Integer> WAITING = new ConcurrentHashMap<>();
    private static final Object LOCK = new Object();
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final String id = UUID.randomUUID().toString();

    /** From now on nobody passes. */
    public void shut() {
        SHUT.put(id, true);
    }

    /** Everybody passes. */
    public void open() {
        synchronized (LOCK) {
            SHUT.remove(id);
            LOCK.notifyAll();
        }
    }

    /** Waits while the gate is shut; an interrupt ends the wait. */
    public void pass() throws InterruptedException {
        if (!SHUT.containsKey(id)) {
            return;
        }
        long deadline = System.nanoTime() + LIMIT.toNanos();
        synchronized (LOCK) {
            WAITING.merge(id, 1, Integer::sum);
            try {
                await(deadline);
            } finally {
                WAITING.merge(id, -1, Integer::sum);
            }
        }
    }

    private void await(long deadline) throws InterruptedException {
        while (SHUT.containsKey(id)) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException("shut for " + LIMIT);
            }
            LOCK.wait(left);
        }
    }

    /** How many wait now. */
    public int waiting() {
        return WAITING.getOrDefault(id, 0);
    }

    @Override
    public void close() {
        open();
        WAITING.remove(id);
    }
}
