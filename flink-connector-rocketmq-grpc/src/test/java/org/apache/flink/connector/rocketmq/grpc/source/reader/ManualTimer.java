/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A timer whose actions run when the test says so, in the order they were given. */
final class ManualTimer implements SourceTimer {

    private final Deque<Runnable> actions = new ArrayDeque<>();
    private final List<Duration> delays = new ArrayList<>();
    private boolean closed;

    @Override
    public synchronized void after(Duration delay, Runnable action) {
        if (!closed) {
            delays.add(delay);
            actions.add(action);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        actions.clear();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Every delay asked for so far. */
    synchronized List<Duration> delays() {
        return new ArrayList<>(delays);
    }

    synchronized Duration lastDelay() {
        return delays.get(delays.size() - 1);
    }

    /** Runs the oldest action that has not run. */
    void runNext() {
        Runnable next;
        synchronized (this) {
            next = actions.remove();
        }
        next.run();
    }

    synchronized int pending() {
        return actions.size();
    }
}
