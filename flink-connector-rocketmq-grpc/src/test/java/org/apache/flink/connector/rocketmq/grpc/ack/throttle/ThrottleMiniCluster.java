/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;

/** The Flink that throttled jobs run on in tests. */
final class ThrottleMiniCluster {

    private ThrottleMiniCluster() {}

    /** A cluster of a test class, whose jobs report their metrics here. */
    static MiniClusterExtension of(InMemoryReporter metrics, int taskManagers, int slots) {
        return new MiniClusterExtension(
                new MiniClusterResourceConfiguration.Builder()
                        .setConfiguration(metrics.addToConfiguration(new Configuration()))
                        .setNumberTaskManagers(taskManagers)
                        .setNumberSlotsPerTaskManager(slots)
                        .build());
    }

    /**
     * An environment of that cluster. Each round of a lite topic crosses the exchange of a keyBy
     * once, so the default buffer timeout of 100 ms would bound its rate.
     */
    static StreamExecutionEnvironment environment(int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(parallelism);
        env.setBufferTimeout(5);
        return env;
    }
}
