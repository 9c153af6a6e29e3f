/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What the work of a job in this JVM did, and when. The job's copies of a log and the test's own
 * share what was logged.
 */
final class WorkLog implements Serializable, AutoCloseable {

    private static final long serialVersionUID = 1L;
    private static final Map<String, Map<String, List<Entry>>> LOGS = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();

    WorkLog() {
        LOGS.put(id, new ConcurrentHashMap<>());
    }

    /** A value of a lite topic was worked on. */
    void add(String liteTopic, String value) {
        Map<String, List<Entry>> log = LOGS.get(id);
        if (log != null) {
            log.computeIfAbsent(liteTopic, name -> Collections.synchronizedList(new ArrayList<>()))
                    .add(new Entry(value, System.nanoTime()));
        }
    }

    /** Everything of a lite topic so far, in order. */
    List<Entry> of(String liteTopic) {
        List<Entry> entries = LOGS.get(id).get(liteTopic);
        if (entries == null) {
            return Collections.emptyList();
        }
        synchronized (entries) {
            return new ArrayList<>(entries);
        }
    }

    /** The values of a lite topic so far, in order. */
    List<String> valuesOf(String liteTopic) {
        return of(liteTopic).stream().map(entry -> entry.value).collect(Collectors.toList());
    }

    int size() {
        return LOGS.get(id).values().stream().mapToInt(List::size).sum();
    }

    @Override
    public void close() {
        LOGS.remove(id);
    }

    /** One piece of work. */
    static final class Entry {
        final String value;
        final long nanos;

        Entry(String value, long nanos) {
            this.value = value;
            this.nanos = nanos;
        }
    }
}
