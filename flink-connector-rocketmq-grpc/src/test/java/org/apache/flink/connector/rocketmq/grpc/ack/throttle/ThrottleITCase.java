/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gate and function in a job on the real server. */
class ThrottleITCase {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleITCase.class);
    private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setConfiguration(METRICS.addToConfiguration(new Configuration()))
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @Test
    @Timeout(180)
    void aFloodComesOutAtItsRateWhileColdLiteTopicsFlow() throws Exception {
        int rate = 50;
        int seconds = 60;
        int flood = rate * (seconds + 12);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startGate(
                    environment(), TokenBucketThrottlePolicy.of(rate, 32), new Configuration());
            scenario.flood("hot", flood);

            int before = scenario.work().of("hot").size();
            long begin = System.nanoTime();
            ColdTraffic cold = new ColdTraffic(scenario, 10);
            while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(seconds)) {
                cold.sendAndAwait();
            }
            int after = scenario.work().of("hot").size();
            double elapsed = (System.nanoTime() - begin) / 1e9;
            LOG.info(
                    "hot {}/s of {}/s; cold {}; deferred {}, RPCs {}, let go {}",
                    (after - before) / elapsed,
                    rate,
                    cold,
                    scenario.metric("throttle.deferredDeliveries"),
                    scenario.metric("rocketmq.deferralRpcs"),
                    scenario.metric("throttle.letGo"));

            assertThat(after).as("the backlog stands").isLessThan(flood);
            assertThat((after - before) / elapsed).isCloseTo(rate, within(0.15 * rate));
            assertThat(cold.percentile(50)).isLessThan(500);
            assertThat(cold.percentile(99)).isLessThan(2_000);
            await().atMost(Duration.ofSeconds(60)).until(() -> scenario.backlog() == 0);
            assertThat(scenario.work().valuesOf("hot"))
                    .containsExactlyInAnyOrderElementsOf(namesOf("hot", flood));
            assertThat(scenario.work().valuesOf("cold-3")).doesNotHaveDuplicates();
            long deferred = scenario.metric("throttle.deferredDeliveries");
            assertThat(deferred).isGreaterThan(10);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(deferred);
            assertThat(scenario.metric("throttle.deferralsDone")).isEqualTo(deferred);
            assertThat(scenario.metric("throttle.deferralsTooLate")).isZero();
            assertThat(scenario.metric("throttle.forcedByCount")).isZero();
        }
    }

    @Test
    @Timeout(90)
    void aDeferredLiteTopicIsSilentForItsTimeWhileOthersFlow() throws Exception {
        Duration silence = Duration.ofSeconds(10);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startFunction(
                    environment(), new RefuseOnce("hot-0", silence), new Configuration());
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
            assertThat(scenario.work().valuesOf("hot")).isEqualTo(namesOf("hot", 5));
            long first = scenario.work().of("hot").get(0).nanos;
            assertThat(TimeUnit.NANOSECONDS.toMillis(first - deferred)).isBetween(9_500L, 12_000L);
            assertThat(cold.sent()).isGreaterThan(20);
            assertThat(cold.percentile(99)).isLessThan(2_000);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isOne();
            await().atMost(Duration.ofSeconds(5)).until(() -> scenario.backlog() == 0);
        }
    }

    // case 1
    @Test
    @Timeout(90)
    void aMessageThatIsAlwaysRefusedLeavesThroughTheValveOnce() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RocketMQGrpcThrottleOptions.MAX_DELIVERY_ATTEMPT, 5);
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startFunction(
                    environment(),
                    value ->
                            value.startsWith("hot")
                                    ? Optional.of(Duration.ofMillis(200))
                                    : Optional.empty(),
                    configuration);
            scenario.send("hot", 0, 3);

            await().atMost(Duration.ofSeconds(30)).until(() -> scenario.backlog() == 0);

            assertThat(scenario.work().valuesOf("hot")).isEqualTo(namesOf("hot", 3));
            assertThat(scenario.metric("throttle.forcedByCount")).isEqualTo(3);
            assertThat(scenario.metric("throttle.deferredDeliveries")).isEqualTo(15);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(15);
        }
    }

    @Test
    @Timeout(90)
    void deferralsInTheMiddleOfDeliveriesRepeatNoWork() throws Exception {
        try (ThrottleScenario scenario = new ThrottleScenario(METRICS)) {
            scenario.startGate(
                    environment(),
                    DeliveryCapThrottlePolicy.of(8, Duration.ofMillis(300)),
                    new Configuration());
            scenario.send("hot", 0, 100);

            await().atMost(Duration.ofSeconds(40)).until(() -> scenario.backlog() == 0);

            assertThat(scenario.work().valuesOf("hot")).isEqualTo(namesOf("hot", 100));
            long deferred = scenario.metric("throttle.deferredDeliveries");
            assertThat(deferred).isBetween(5L, 13L);
            assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(deferred);
        }
    }

    private static StreamExecutionEnvironment environment() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        return env;
    }

    private static List<String> namesOf(String liteTopic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> liteTopic + "-" + number)
                .collect(Collectors.toList());
    }

    /** One message after the other on a few lite topics, each awaited. Used by one thread. */
    private static final class ColdTraffic {
        private final ThrottleScenario scenario;
        private final int liteTopics;
        private final List<Long> millis = new ArrayList<>();

        ColdTraffic(ThrottleScenario scenario, int liteTopics) {
            this.scenario = scenario;
            this.liteTopics = liteTopics;
        }

        void sendAndAwait() throws Exception {
            String liteTopic = "cold-" + millis.size() % liteTopics;
            int number = millis.size() / liteTopics;
            long begin = System.nanoTime();
            scenario.send(liteTopic, number, number + 1);
            await().atMost(Duration.ofSeconds(20))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> scenario.work().of(liteTopic).size() > number);
            millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        }

        int sent() {
            return millis.size();
        }

        long percentile(int percent) {
            List<Long> sorted = millis.stream().sorted().collect(Collectors.toList());
            return sorted.get((sorted.size() - 1) * percent / 100);
        }

        @Override
        public String toString() {
            return sent()
                    + " messages, p50 "
                    + percentile(50)
                    + " ms, p99 "
                    + percentile(99)
                    + " ms, max "
                    + percentile(100)
                    + " ms";
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
