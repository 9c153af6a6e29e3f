/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.testing;

import java.io.Serializable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How fast a job's downstream works, steered by the test: a serializable name that leads every copy
 * of it in this JVM to the same switches. Close it to forget them.
 */
public final class Pace implements Serializable, AutoCloseable {

    private static final long serialVersionUID = 1L;
    private static final Map<String, Switches> ALL = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();

    /** From now on nothing passes. */
    public Pace block() {
        switches().set(true, switches().millis);
        return this;
    }

    /** From now on everything passes. */
    public Pace open() {
        switches().set(false, 0);
        return this;
    }

    /** From now on one message passes per so many milliseconds. */
    public Pace every(long millis) {
        switches().set(false, millis);
        return this;
    }

    /** The next message that wants to pass fails the task instead, and so does one that waits. */
    public void fail() {
        switches().failOnce();
    }

    /** Waits for its turn. Interruptible. */
    public void pass() throws InterruptedException {
        switches().pass();
    }

    private Switches switches() {
        return ALL.computeIfAbsent(id, ignored -> new Switches());
    }

    @Override
    public void close() {
        open();
        ALL.remove(id);
    }

    /** The switches of one name. */
    private static final class Switches {
        private boolean blocked;
        private boolean failing;
        private long millis;

        private synchronized void set(boolean nowBlocked, long nowMillis) {
            blocked = nowBlocked;
            millis = nowMillis;
            notifyAll();
        }

        private synchronized void failOnce() {
            failing = true;
            notifyAll();
        }

        private synchronized void pass() throws InterruptedException {
            long begun = System.nanoTime();
            long left = leftMillis(begun);
            while (!failing && (blocked || left > 0)) {
                wait(blocked ? 0 : left);
                left = leftMillis(begun);
            }
            if (failing) {
                failing = false;
                blocked = false;
                throw new IllegalStateException("the test fails this task");
            }
        }

        private long leftMillis(long begun) {
            return millis - (System.nanoTime() - begun) / 1_000_000;
        }
    }
}
