/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/**
 * A metric reporter that lets the demo read the metrics of its jobs: the counters and numeric
 * gauges of one name, summed over operators and subtasks.
 *
 * <p>Flink makes the instance and tells it of every metric, from its own threads; the demo reads
 * from the main thread. A metric is forgotten when its task ends.
 */
public final class JobMetrics implements MetricReporter, MetricReporterFactory {

    private static final String JOB_ID = "<job_id>";
    private static final ConcurrentHashMap<Metric, String> LIVE = new ConcurrentHashMap<>();

    /** The sum of the job's live metrics of that name; 0 if there is none. */
    static long sum(JobID job, String name) {
        String wanted = key(job.toHexString(), name);
        long sum = 0;
        for (Map.Entry<Metric, String> entry : LIVE.entrySet()) {
            if (entry.getValue().equals(wanted)) {
                sum += value(entry.getKey());
            }
        }
        return sum;
    }

    @Override
    public MetricReporter createMetricReporter(Properties properties) {
        return this;
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        String job = group.getAllVariables().get(JOB_ID);
        if (job != null && (metric instanceof Counter || metric instanceof Gauge)) {
            LIVE.put(metric, key(job, name));
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        LIVE.remove(metric);
    }

    private static long value(Metric metric) {
        if (metric instanceof Counter) {
            return ((Counter) metric).getCount();
        }
        Object value = ((Gauge<?>) metric).getValue();
        return value instanceof Number ? ((Number) value).longValue() : 0;
    }

    private static String key(String job, String name) {
        return job + '/' + name;
    }
}
