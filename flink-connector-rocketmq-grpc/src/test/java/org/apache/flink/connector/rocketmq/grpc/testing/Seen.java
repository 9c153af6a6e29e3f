/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.testing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a job on a MiniCluster saw: a serializable name that leads every copy of it in this JVM to
 * the same lists. Close it to forget them.
 *
 * @param <T> what is noted
 */
public final class Seen<T> implements Serializable, AutoCloseable {

    private static final long serialVersionUID = 1L;
    private static final Map<String, ConcurrentLinkedQueue<?>> ALL = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();

    /** Notes something; from any thread. */
    public void add(T item) {
        list().add(item);
    }

    /** A copy of what was noted so far, in order. */
    public List<T> items() {
        return new ArrayList<>(list());
    }

    /** How much was noted, repeated things counted. */
    public int size() {
        return list().size();
    }

    /** How many different things were noted. */
    public int distinct() {
        return Math.toIntExact(list().stream().distinct().count());
    }

    @SuppressWarnings("unchecked")
    private ConcurrentLinkedQueue<T> list() {
        return (ConcurrentLinkedQueue<T>)
                ALL.computeIfAbsent(id, ignored -> new ConcurrentLinkedQueue<T>());
    }

    @Override
    public void close() {
        ALL.remove(id);
    }
}
