/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.metrics;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;

/**
 * A counter per error code, made when the code is first seen. The codes are the protocol's; should
 * a server invent more than fit, the rest is counted as one. Thread-safe; one lock.
 */
final class ErrorsByCode {

    static final int MOST_CODES = 32;
    static final String OTHER = "OTHER";

    private final MetricGroup group;
    private final String name;
    private final Map<String, Counter> counters = new HashMap<>();

    /**
     * @param group the series are {@code <group>.code.<code>.<name>}
     */
    ErrorsByCode(MetricGroup group, String name) {
        this.group = group;
        this.name = name;
    }

    /** One more error of this code. */
    synchronized void count(String code) {
        boolean known = counters.containsKey(code) || counters.size() < MOST_CODES;
        counters.computeIfAbsent(known ? code : OTHER, this::register).inc();
    }

    private Counter register(String code) {
        return group.addGroup("code", code).counter(name, new ThreadSafeSimpleCounter());
    }
}
