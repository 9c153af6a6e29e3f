/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Gate and function in a job on the real server. */
class ThrottleITCase {

    private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    static final MiniClusterExtension FLINK = ThrottleMiniCluster.of(METRICS, 1, 2);

    @Test
    @Timeout(180)
    void aFloodComesOutAtItsRateWhileColdLiteTopicsFlow() throws Exception {
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            FloodRun flood = new FloodRun(scenario, 500, 50, 15);
            flood.run(ThrottleMiniCluster.environment(2));

            // a machine that stands still for seconds costs rate; ThrottleSoakCase measures it
            assertThat(flood.hotRate()).isBetween(25.0, 57.5);
            assertThat(flood.coldPercentile(50)).isLessThan(2_000);
            assertThat(flood.coldPercentile(99)).isLessThan(8_000);
            flood.assertNothingLostOrRepeatedAndOneRequestPerDeferredDelivery();
        }
    }

    @Test
    @Timeout(180)
    void aDeferredLiteTopicIsSilentForItsTimeWhileOthersFlow() throws Exception {
        Duration silence = Duration.ofSeconds(10);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startFunction(
                    ThrottleMiniCluster.environment(2),
                    new RefuseOnce("hot-0", silence),
                    new Configuration());
            scenario.send("hot", 0, 5);
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> scenario.metric("throttle.deferralsDone") == 1);
            long deferred = System.nanoTime();

            ColdTraffic cold = new ColdTraffic(scenario, 5);
            while (scenario.work().of("hot").isEmpty()) {
                cold.sendAndAwait();
            }

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> scenario.work().of("hot").size() == 5);
            assertThat(scenario.work().valuesOf("hot")).isEqualTo(FloodRun.namesOf("hot", 5));
            long first = scenario.work().of("hot").get(0).nanos;
            assertThat(TimeUnit.NANOSECONDS.toMillis(first - deferred)).isBetween(9_500L, 20_000L);
            assertThat(cold.sent()).isGreaterThan(5);
            assertThat(cold.percentile(99)).isLessThan(8_000);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isOne();
            await().atMost(Duration.ofSeconds(5)).until(() -> scenario.backlog() == 0);
        }
    }

    @Test
    @Timeout(180)
    void aMessageThatIsAlwaysRefusedLeavesThroughTheValveOnce() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RocketMQGrpcThrottleOptions.MAX_DELIVERY_ATTEMPT, 5);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startFunction(
                    ThrottleMiniCluster.environment(2),
                    value ->
                            value.startsWith("hot")
                                    ? Optional.of(Duration.ofMillis(200))
                                    : Optional.empty(),
                    configuration);
            scenario.send("hot", 0, 3);

            await().atMost(Duration.ofSeconds(30)).until(() -> scenario.backlog() == 0);

            assertThat(scenario.work().valuesOf("hot")).isEqualTo(FloodRun.namesOf("hot", 3));
            assertThat(scenario.metric("throttle.forcedByCount")).isEqualTo(3);
            assertThat(scenario.metric("throttle.deferredDeliveries")).isEqualTo(15);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(15);
        }
    }

    @Test
    @Timeout(180)
    void deferralsInTheMiddleOfDeliveriesRepeatNoWork() throws Exception {
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            // all there before the reader, so that deliveries are longer than the cap
            scenario.send("hot", 0, 100);
            scenario.startGate(
                    ThrottleMiniCluster.environment(2),
                    DeliveryCapThrottlePolicy.of(8, Duration.ofMillis(300)),
                    new Configuration());

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> scenario.work().valuesOf("hot").size() >= 100);
            await().atMost(Duration.ofSeconds(20)).until(() -> scenario.backlog() == 0);

            assertThat(scenario.work().valuesOf("hot")).isEqualTo(FloodRun.namesOf("hot", 100));
            long deferred = scenario.metric("throttle.deferredDeliveries");
            assertThat(deferred).isBetween(5L, 13L);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(deferred);
        }
    }

    @Test
    @Timeout(180)
    void aGateThatSeesNoAcksThrottlesByWholeDeliveriesWithoutWaiting() throws Exception {
        Configuration ownClient = new Configuration();
        ownClient.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 77);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startGate(
                    ThrottleMiniCluster.environment(2),
                    TokenBucketThrottlePolicy.<String>of(50, 8).wholeDeliveries(),
                    ownClient,
                    new Configuration(),
                    liteTopic -> {});
            scenario.send("hot", 0, 200);

            await().atMost(Duration.ofSeconds(50)).until(() -> scenario.backlog() == 0);

            assertThat(scenario.work().valuesOf("hot")).isEqualTo(FloodRun.namesOf("hot", 200));
            long deferred = scenario.metric("throttle.deferredDeliveries");
            assertThat(deferred).isBetween(3L, 30L);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(deferred);
            assertThat(scenario.metric("throttle.deferralsAtLeaseEnd")).isZero();
        }
    }

    /** Refuses one message the first time it comes. */
    private static final class RefuseOnce implements MessageThrottlePolicy<String> {
        private static final long serialVersionUID = 1L;

        private final String refused;
        private final Duration duration;

        RefuseOnce(String refused, Duration duration) {
            this.refused = refused;
            this.duration = duration;
        }

        @Override
        public Optional<Duration> onMessage(String value) {
            throw new AssertionError("the context was not passed on");
        }

        @Override
        public Optional<Duration> onMessage(String value, ThrottleContext context) {
            return value.equals(refused) && context.getDeferrals() == 0
                    ? Optional.of(duration)
                    : Optional.empty();
        }
    }
}
