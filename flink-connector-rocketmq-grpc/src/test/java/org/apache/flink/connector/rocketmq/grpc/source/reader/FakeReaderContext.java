/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** What a reader sees of its task, for subtask 0. */
public final class FakeReaderContext implements SourceReaderContext {

    private final Configuration configuration;
    private final SourceReaderMetricGroup metrics;

    public FakeReaderContext(Configuration configuration, SourceReaderMetricGroup metrics) {
        this.configuration = configuration;
        this.metrics = metrics;
    }

    @Override
    public SourceReaderMetricGroup metricGroup() {
        return metrics;
    }

    @Override
    public Configuration getConfiguration() {
        return configuration;
    }

    @Override
    public String getLocalHostName() {
        return "localhost";
    }

    @Override
    public int getIndexOfSubtask() {
        return 0;
    }

    @Override
    public void sendSplitRequest() {
        throw new AssertionError("a reader never asks for a split");
    }

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {
        throw new AssertionError("a reader sends no events");
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
        return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
    }
}
