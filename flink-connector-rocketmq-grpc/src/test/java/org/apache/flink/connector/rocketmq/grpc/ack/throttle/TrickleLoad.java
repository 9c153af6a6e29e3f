/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Messages at a fixed rate, round by round over many lite topics, whether or not the last ones are
 * done, and how long each took from the moment it was due to the end of its work.
 *
 * <p>One thread sends; the test's thread measures.
 */
final class TrickleLoad implements AutoCloseable {

    private final ThrottleScenario scenario;
    private final int liteTopics;
    private final long periodNanos;
    private final ScheduledExecutorService sender =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "trickle"));
    private final Map<String, Long> dueByValue = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private long begin;
    private long sent;

    TrickleLoad(ThrottleScenario scenario, int liteTopics, int perSecond) {
        this.scenario = scenario;
        this.liteTopics = liteTopics;
        this.periodNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    }

    void start() {
        begin = System.nanoTime();
        sender.scheduleAtFixedRate(this::sendOne, 0, periodNanos, TimeUnit.NANOSECONDS);
    }

    private void sendOne() {
        String liteTopic = "cold-" + sent % liteTopics;
        int number = (int) (sent / liteTopics);
        dueByValue.put(liteTopic + "-" + number, begin + sent * periodNanos);
        sent++;
        scenario.sendAsync(liteTopic, number)
                .whenComplete(
                        (receipt, failure) -> {
                            if (failure != null) {
                                failures.add(failure);
                            }
                        });
    }

    /** Lets time pass. */
    void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /**
     * The 99th percentile of what is due from now on: the median of several windows, so that one
     * moment in which the machine was busy elsewhere does not decide.
     *
     * @return milliseconds
     */
    long measure(Duration window, int windows) {
        long[] borders = new long[windows + 1];
        borders[0] = System.nanoTime();
        for (int i = 1; i <= windows; i++) {
            pass(window);
            borders[i] = System.nanoTime();
        }
        long[] percentiles = new long[windows];
        for (int i = 0; i < windows; i++) {
            percentiles[i] = percentile99(borders[i], borders[i + 1]);
        }
        Arrays.sort(percentiles);
        return percentiles[windows / 2];
    }

    /** Of what was due in a window; waits until all of it is done. */
    private long percentile99(long from, long to) {
        List<String> values =
                dueByValue.entrySet().stream()
                        .filter(due -> due.getValue() >= from && due.getValue() < to)
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toList());
        Map<String, Long> done = new ConcurrentHashMap<>();
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> done.size() == values.size() || look(values, done));
        List<Long> nanos =
                values.stream()
                        .map(value -> done.get(value) - dueByValue.get(value))
                        .sorted()
                        .collect(Collectors.toList());
        return TimeUnit.NANOSECONDS.toMillis(nanos.get((nanos.size() - 1) * 99 / 100));
    }

    /** Notes when each value was done; true if all are. */
    private boolean look(List<String> values, Map<String, Long> done) {
        for (String value : values) {
            if (!done.containsKey(value)) {
                for (WorkLog.Entry entry : scenario.work().of(liteTopicOf(value))) {
                    if (entry.value.equals(value)) {
                        done.putIfAbsent(value, entry.nanos);
                    }
                }
            }
        }
        return done.size() == values.size();
    }

    private static String liteTopicOf(String value) {
        return value.substring(0, value.lastIndexOf('-'));
    }

    /** Sends no more. */
    void stop() throws InterruptedException {
        sender.shutdown();
        if (!sender.awaitTermination(30, TimeUnit.SECONDS)) {
            throw new AssertionError("the load does not end");
        }
    }

    /** Messages that were sent and not worked on; a failed send fails the test. */
    long lost() {
        if (!failures.isEmpty()) {
            throw new AssertionError("a send failed", failures.peek());
        }
        return dueByValue.keySet().stream()
                .filter(value -> !scenario.work().valuesOf(liteTopicOf(value)).contains(value))
                .count();
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }
}
