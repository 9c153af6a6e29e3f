/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A long flood behind the gate, keyed by lite topic, at parallelism 2. */
class ThrottleSoakCase {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleSoakCase.class);
    private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    static final MiniClusterExtension FLINK = ThrottleMiniCluster.of(METRICS, 1, 2);

    @ParameterizedTest(name = "{0} per second")
    @ValueSource(ints = {250, 100})
    @Timeout(600)
    void twentyThousandMessagesComeOutAtTheirRate(int rate) throws Exception {
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            FloodRun flood = new FloodRun(scenario, 20_000, rate, 60);
            flood.run(ThrottleMiniCluster.environment(2));

            assertThat(flood.hotRate()).isCloseTo(rate, within(0.1 * rate));
            flood.assertNothingLostOrRepeatedAndOneRequestPerDeferredDelivery();
        }
    }

    @Test
    @Timeout(180)
    void aGateThatSeesNoAcksWaitsForTheLeaseInTheMiddleOfADelivery() throws Exception {
        Configuration ownClient = new Configuration();
        ownClient.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 77);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS, Duration.ofSeconds(10))) {
            scenario.startGate(
                    ThrottleMiniCluster.environment(2),
                    DeliveryCapThrottlePolicy.of(16, Duration.ofMillis(100)),
                    ownClient,
                    new Configuration(),
                    liteTopic -> {});
            scenario.flood("hot", 100);
            long begin = System.nanoTime();

            await().atMost(Duration.ofSeconds(150)).until(() -> scenario.backlog() == 0);

            LOG.info(
                    "100 messages, 16 of each delivery, apart: {} s, {} deferrals, {} at lease end",
                    (System.nanoTime() - begin) / 1e9,
                    scenario.metric("throttle.deferredDeliveries"),
                    scenario.metric("throttle.deferralsAtLeaseEnd"));
            assertThat(scenario.metric("throttle.deferralsAtLeaseEnd")).isPositive();
            assertThat(scenario.work().valuesOf("hot"))
                    .containsExactlyInAnyOrderElementsOf(FloodRun.namesOf("hot", 100));
        }
    }
}
