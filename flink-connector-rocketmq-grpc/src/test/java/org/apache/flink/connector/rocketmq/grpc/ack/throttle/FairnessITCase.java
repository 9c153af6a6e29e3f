/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tenant floods, 200 trickle, and the work has a fixed capacity: four subtasks with 60 ms per
 * message. What the flood costs the others, with and without a throttle, in one job.
 */
class FairnessITCase {

    private static final Logger LOG = LoggerFactory.getLogger(FairnessITCase.class);
    private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();
    private static final int SUBTASKS = 4;
    private static final int FLOOD = 1_200;
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
    private static final Duration WINDOW = Duration.ofSeconds(3);
    private static final int WINDOWS = 3;

    /** Switches of the job, which runs in this JVM; one test at a time. */
    private static volatile boolean throttled;

    private static volatile boolean draining;

    @RegisterExtension
    static final MiniClusterExtension FLINK = ThrottleMiniCluster.of(METRICS, 1, SUBTASKS);

    @Test
    @Timeout(240)
    void aFloodThatIsThrottledCostsTheOthersLittle() throws Exception {
        throttled = false;
        draining = false;
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS);
                TrickleLoad cold = new TrickleLoad(scenario, 200, 16)) {
            scenario.startGate(
                    ThrottleMiniCluster.environment(SUBTASKS),
                    new Switched(TokenBucketThrottlePolicy.of(4, 2)),
                    new Configuration(),
                    new Configuration(),
                    liteTopic -> work());
            cold.start();
            cold.pass(Duration.ofSeconds(2));
            long calm = cold.measure(WINDOW, WINDOWS);

            scenario.flood("hot", FLOOD);
            cold.pass(Duration.ofSeconds(1));
            long unthrottled = cold.measure(WINDOW, WINDOWS);

            throttled = true;
            cold.pass(Duration.ofSeconds(3));
            long fair = cold.measure(WINDOW, WINDOWS);
            assertThat(scenario.work().of("hot").size())
                    .as("the flood stands")
                    .isLessThan(FLOOD - 32);
            LOG.info(
                    "cold p99 in ms: calm {}, beside a flood {}, beside a throttled flood {}",
                    calm,
                    unthrottled,
                    fair);

            draining = true;
            cold.stop();
            await().atMost(Duration.ofSeconds(60)).until(() -> scenario.backlog() == 0);
            assertThat(cold.lost()).isZero();
            assertThat(scenario.work().valuesOf("hot"))
                    .containsExactlyInAnyOrderElementsOf(FloodRun.namesOf("hot", FLOOD));
            assertThat(fair).isLessThan(unthrottled / 2);
            assertThat(fair).isLessThanOrEqualTo(3 * calm);
        }
    }

    private static void work() {
        if (!draining) {
            LockSupport.parkNanos(WORK_NANOS);
        }
    }

    /** Throttles while the switch says so. */
    private static final class Switched implements MessageThrottlePolicy<String> {
        private static final long serialVersionUID = 1L;

        private final MessageThrottlePolicy<String> policy;

        Switched(MessageThrottlePolicy<String> policy) {
            this.policy = policy;
        }

        @Override
        public void open(RuntimeContext context) throws Exception {
            policy.open(context);
        }

        @Override
        public Optional<Duration> onMessage(String value) {
            throw new AssertionError("the context was not passed on");
        }

        @Override
        public Optional<Duration> onMessage(String value, ThrottleContext context)
                throws Exception {
            return throttled && !draining ? policy.onMessage(value, context) : Optional.empty();
        }
    }
}
