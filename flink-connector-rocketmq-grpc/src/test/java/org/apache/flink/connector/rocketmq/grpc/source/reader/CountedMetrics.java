/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup;

/** A metric group that keeps what was registered, by name. */
public final class CountedMetrics {

    private final Map<String, Metric> metrics = new HashMap<>();
    private final SourceReaderMetricGroup group =
            InternalSourceReaderMetricGroup.mock(new Keeping());

    public SourceReaderMetricGroup group() {
        return group;
    }

    public Map<String, Metric> all() {
        return metrics;
    }

    public long count(String name) {
        return ((Counter) registered(name)).getCount();
    }

    public long gauge(String name) {
        return (Long) ((Gauge<?>) registered(name)).getValue();
    }

    private Metric registered(String name) {
        Metric metric = metrics.get(name);
        if (metric == null) {
            throw new AssertionError(name + " is not among " + metrics.keySet());
        }
        return metric;
    }

    /** Keeps every metric of itself and of the groups below. */
    private final class Keeping extends UnregisteredMetricsGroup {
        @Override
        public Counter counter(String name) {
            return counter(name, super.counter(name));
        }

        @Override
        public <C extends Counter> C counter(String name, C counter) {
            metrics.put(name, counter);
            return counter;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            metrics.put(name, gauge);
            return gauge;
        }

        @Override
        public MetricGroup addGroup(String name) {
            return this;
        }
    }
}
