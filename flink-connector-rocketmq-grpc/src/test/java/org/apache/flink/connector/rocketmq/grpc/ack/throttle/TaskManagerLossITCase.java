/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A TaskManager ends while messages are between the gate and their ack. */
class TaskManagerLossITCase {

    private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();
    private static final int HOT = 300;
    private static final int COLD_LITE_TOPICS = 20;

    @RegisterExtension
    static final MiniClusterExtension FLINK = ThrottleMiniCluster.of(METRICS, 2, 1);

    @Test
    @Timeout(180)
    void aTaskManagerThatEndsAfterTheGateLosesNothing(@InjectMiniCluster MiniCluster flink)
            throws Exception {
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS, Duration.ofSeconds(10))) {
            scenario.startGate(
                    environment(),
                    TokenBucketThrottlePolicy.of(50, 32),
                    new Configuration(),
                    new Configuration(),
                    liteTopic -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10)));
            scenario.flood("hot", HOT);
            for (int i = 0; i < COLD_LITE_TOPICS; i++) {
                scenario.flood("cold-" + i, 3);
            }
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> scenario.work().of("hot").size() >= 100);

            flink.terminateTaskManager(0).get(30, TimeUnit.SECONDS);
            flink.startTaskManager();

            await().atMost(Duration.ofSeconds(90)).until(() -> scenario.backlog() == 0);
            assertThat(scenario.metric("numRestarts")).isPositive();
            assertThat(scenario.work().valuesOf("hot"))
                    .containsAll(FloodRun.namesOf("hot", HOT))
                    .hasSizeBetween(HOT, HOT + 64);
            for (int i = 0; i < COLD_LITE_TOPICS; i++) {
                List<String> all = FloodRun.namesOf("cold-" + i, 3);
                assertThat(scenario.work().valuesOf("cold-" + i)).containsAll(all);
            }
        }
    }

    private static StreamExecutionEnvironment environment() {
        Configuration options = new Configuration();
        options.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        options.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
        options.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(200));
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(options);
        env.setParallelism(2);
        env.disableOperatorChaining();
        env.enableCheckpointing(500);
        return env;
    }
}
