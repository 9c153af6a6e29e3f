/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class JobMetricsTest {

    private final JobID job = new JobID();
    private final JobMetrics reporter = new JobMetrics();

    @Test
    void metricsOfOneNameAndJobAreSummed() {
        Gauge<Long> gauge = () -> 40L;
        reporter.notifyOfAddedMetric(counter(2), "deferrals", groupOf(job));
        reporter.notifyOfAddedMetric(gauge, "deferrals", groupOf(job));
        reporter.notifyOfAddedMetric(counter(100), "other", groupOf(job));
        reporter.notifyOfAddedMetric(counter(1000), "deferrals", groupOf(new JobID()));

        assertThat(JobMetrics.sum(job, "deferrals")).isEqualTo(42);
        assertThat(JobMetrics.sum(job, "unknown")).isZero();
    }

    @Test
    void metricOfAnEndedTaskIsForgotten() {
        Counter counter = counter(2);
        reporter.notifyOfAddedMetric(counter, "deferrals", groupOf(job));
        reporter.notifyOfRemovedMetric(counter, "deferrals", groupOf(job));

        assertThat(JobMetrics.sum(job, "deferrals")).isZero();
    }

    @Test
    void gaugeThatIsNoNumberCountsNothing() {
        Gauge<String> text = () -> "text";
        reporter.notifyOfAddedMetric(text, "deferrals", groupOf(job));

        assertThat(JobMetrics.sum(job, "deferrals")).isZero();
    }

    private static Counter counter(long value) {
        Counter counter = new SimpleCounter();
        counter.inc(value);
        return counter;
    }

    private static MetricGroup groupOf(JobID job) {
        return new UnregisteredMetricsGroup() {
            @Override
            public Map<String, String> getAllVariables() {
                return Collections.singletonMap("<job_id>", job.toHexString());
            }
        };
    }
}
