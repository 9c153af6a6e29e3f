/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Hands messages from the workers to the fetcher.
 *
 * <p>Adding never blocks and the queue is still bounded, because a worker polls only for messages
 * it has room for. {@link #add} is called by the client's I/O thread, {@link #take} by the fetcher,
 * {@link #wakeUp} by anybody; one lock guards all of it. A wake-up that finds nobody waiting is
 * kept for the next {@code take}; one call of {@code take} uses up every wake-up before it.
 */
final class ReceiveQueue {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private List<QueuedMessage> waiting = new ArrayList<>();
    private boolean wokenUp;

    /** Appends the messages of one answer in one piece. */
    void add(List<QueuedMessage> messages) {
        lock.lock();
        try {
            waiting.addAll(messages);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes everything that waits; blocks until something does or a wake-up comes.
     *
     * @return empty only after a wake-up
     */
    List<QueuedMessage> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && !wokenUp) {
                changed.await();
            }
            wokenUp = false;
            return takeAll();
        } finally {
            lock.unlock();
        }
    }

    private List<QueuedMessage> takeAll() {
        List<QueuedMessage> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    /** Ends the present or else the next {@link #take}. */
    void wakeUp() {
        lock.lock();
        try {
            wokenUp = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }
}
