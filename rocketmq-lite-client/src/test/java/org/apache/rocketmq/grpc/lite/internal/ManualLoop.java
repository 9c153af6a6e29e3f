/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/** A {@link Loop} whose thread is the test's and whose time moves when the test says so. */
final class ManualLoop implements Loop {

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
    private long passed;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public Timer schedule(Runnable task, Duration delay) {
        Waiting timer = new Waiting(task, passed + delay.toNanos());
        waiting.add(timer);
        return () -> waiting.remove(timer);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public long currentTimeMillis() {
        return 1_700_000_000_000L + Duration.ofNanos(passed).toMillis();
    }

    /** Runs what was handed in, then what becomes due until then, in order of time. */
    void advance(Duration by) {
        long until = passed + by.toNanos();
        runTasks();
        while (nextDue(until) != null) {
            Waiting timer = nextDue(until);
            waiting.remove(timer);
            moveTo(Math.max(passed, timer.due));
            timer.task.run();
            runTasks();
        }
        moveTo(until);
    }

    /** Timers that wait. */
    int timers() {
        return waiting.size();
    }

    private Waiting nextDue(long until) {
        return waiting.stream()
                .filter(timer -> timer.due <= until)
                .min(Comparator.comparingLong(timer -> timer.due))
                .orElse(null);
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private void moveTo(long time) {
        nanos += time - passed;
        passed = time;
    }

    /** A task and its time. */
    private static final class Waiting {
        private final Runnable task;
        private final long due;

        Waiting(Runnable task, long due) {
            this.task = task;
            this.due = due;
        }
    }
}
