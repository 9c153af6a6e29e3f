/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The lock of a session, and how to get in and out of it: sections run one at a time, their effects
 * afterwards and outside. Any thread may call {@link #run}.
 */
final class SessionLoop {

    private final ReentrantLock lock = new ReentrantLock();
    private final Outbox outbox = new Outbox();
    private final AckTimer timer;
    private final Runnable atEnd;

    /**
     * @param atEnd runs under the lock at the end of each section
     */
    SessionLoop(AckTimer timer, Runnable atEnd) {
        this.timer = timer;
        this.atEnd = atEnd;
    }

    /** Runs a section under the lock, then what it queued. */
    void run(Runnable section) {
        lock.lock();
        try {
            section.run();
            atEnd.run();
        } finally {
            lock.unlock();
        }
        outbox.drain();
    }

    /** Asks something under the lock, without running anything else. */
    boolean ask(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** Queues something to be done outside the lock; called within a section. */
    void effect(Runnable effect) {
        outbox.add(effect);
    }

    /** Runs a section later; what it returns takes it back. */
    Runnable later(long delayMillis, Runnable section) {
        return timer.schedule(delayMillis, () -> run(section));
    }

    /** Milliseconds since the epoch. */
    long now() {
        return timer.nowMillis();
    }
}
