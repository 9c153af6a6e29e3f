/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup;

/** A metric group that keeps what was registered, by name. */
public final class CountedMetrics {

    private final Map<String, Metric> metrics = new HashMap<>();
    private final Counter bytesIn = new SimpleCounter();
    private final SourceReaderMetricGroup group = withBytesIn();

    public SourceReaderMetricGroup group() {
        return group;
    }

    public Map<String, Metric> all() {
        return metrics;
    }

    public long count(String name) {
        return ((Counter) registered(name)).getCount();
    }

    /** Flink's own counter of bytes. */
    public long bytesIn() {
        return bytesIn.getCount();
    }

    /** Flink's stand-in makes a new counter of bytes at each call. */
    private SourceReaderMetricGroup withBytesIn() {
        SourceReaderMetricGroup mock = InternalSourceReaderMetricGroup.mock(new Keeping(""));
        OperatorIOMetricGroup io =
                replacing(
                        OperatorIOMetricGroup.class,
                        mock.getIOMetricGroup(),
                        "getNumBytesInCounter",
                        bytesIn);
        return replacing(SourceReaderMetricGroup.class, mock, "getIOMetricGroup", io);
    }

    private static <T> T replacing(Class<T> type, T original, String method, Object result) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (proxy, called, arguments) ->
                                called.getName().equals(method)
                                        ? result
                                        : called.invoke(original, arguments)));
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
        private final String prefix;

        private Keeping(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public Counter counter(String name) {
            return counter(name, super.counter(name));
        }

        @Override
        public <C extends Counter> C counter(String name, C counter) {
            metrics.put(prefix + name, counter);
            return counter;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            metrics.put(prefix + name, gauge);
            return gauge;
        }

        @Override
        public MetricGroup addGroup(String name) {
            return this;
        }

        @Override
        public MetricGroup addGroup(String key, String value) {
            return new Keeping(prefix + key + "." + value + ".");
        }
    }
}
