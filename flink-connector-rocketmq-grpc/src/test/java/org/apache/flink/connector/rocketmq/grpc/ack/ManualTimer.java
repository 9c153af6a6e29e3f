/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A clock that stands still until it is moved, and runs what becomes due on the mover's thread. */
final class ManualTimer implements AckTimer {

    private final List<Task> tasks = new ArrayList<>();
    private long now = 1_700_000_000_000L;
    private boolean closed;

    @Override
    public synchronized long nowMillis() {
        return now;
    }

    @Override
    public synchronized Runnable schedule(long delayMillis, Runnable action) {
        if (closed) {
            return () -> {};
        }
        Task task = new Task(now + delayMillis, action);
        tasks.add(task);
        return () -> remove(task);
    }

    private synchronized void remove(Task task) {
        tasks.remove(task);
    }

    /** Moves on, stopping at each task that becomes due. */
    void advance(long millis) {
        long target = nowMillis() + millis;
        Task next = nextUntil(target);
        while (next != null) {
            next.action.run();
            next = nextUntil(target);
        }
        synchronized (this) {
            now = target;
        }
    }

    /** Runs what is due now. */
    void runDue() {
        advance(0);
    }

    private synchronized Task nextUntil(long target) {
        Task next =
                tasks.stream()
                        .filter(task -> task.at <= target)
                        .min(Comparator.comparingLong(task -> task.at))
                        .orElse(null);
        if (next != null) {
            tasks.remove(next);
            now = Math.max(now, next.at);
        }
        return next;
    }

    /** How many tasks wait. */
    synchronized int size() {
        return tasks.size();
    }

    @Override
    public synchronized void close() {
        closed = true;
        tasks.clear();
    }

    private static final class Task {
        private final long at;
        private final Runnable action;

        Task(long at, Runnable action) {
            this.at = at;
            this.action = action;
        }
    }
}
