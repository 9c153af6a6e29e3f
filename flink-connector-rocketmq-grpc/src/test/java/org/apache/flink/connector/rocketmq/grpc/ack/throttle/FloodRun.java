/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A flood on one lite topic behind a gate with a token bucket, cold lite topics beside it, and what
 * came of it. Used by one thread.
 */
final class FloodRun {

    private static final Logger LOG = LoggerFactory.getLogger(FloodRun.class);
    private static final String HOT = "hot";
    private static final int BURST = 32;
    private static final int COLD_LITE_TOPICS = 10;

    private final ThrottleScenario scenario;
    private final int ratePerSecond;
    private final int windowSeconds;
    private final ColdTraffic cold;
    private int messages;
    private double hotRate;

    /**
     * @param messages of the flood at least; more are sent if the window needs more
     * @param windowSeconds how long the rate is measured
     */
    FloodRun(ThrottleScenario scenario, int messages, int ratePerSecond, int windowSeconds) {
        this.scenario = scenario;
        this.messages = messages;
        this.ratePerSecond = ratePerSecond;
        this.windowSeconds = windowSeconds;
        this.cold = new ColdTraffic(scenario, COLD_LITE_TOPICS);
    }

    /** Floods, measures, and waits until the backlog is drained. */
    void run(StreamExecutionEnvironment env) throws Exception {
        scenario.startGate(
                env, TokenBucketThrottlePolicy.of(ratePerSecond, BURST), new Configuration());
        scenario.flood(HOT, messages);
        topUp();
        int before = scenario.work().of(HOT).size();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(windowSeconds)) {
            cold.sendAndAwait();
        }
        int after = scenario.work().of(HOT).size();
        hotRate = (after - before) * 1e9 / (System.nanoTime() - begin);
        assertThat(after).as("the backlog stands").isLessThan(messages);
        long rest = (messages - after) / ratePerSecond;
        await().atMost(Duration.ofSeconds(60 + 2 * rest)).until(() -> scenario.backlog() == 0);
        LOG.info(
                "hot {}/s of {}/s; cold {}; deferred {}, RPCs {}, let go {}",
                hotRate,
                ratePerSecond,
                cold,
                scenario.metric("throttle.deferredDeliveries"),
                scenario.metric("rocketmq.deferralRpcs"),
                scenario.metric("throttle.letGo"));
    }

    /** Sends what is missing for a backlog that stands over the whole window. */
    private void topUp() throws Exception {
        int waiting = messages - scenario.work().of(HOT).size();
        int missing = ratePerSecond * (windowSeconds + 4) + BURST - waiting;
        if (missing > 0) {
            scenario.flood(HOT, messages, messages + missing);
            messages += missing;
        }
    }

    /** Messages of the flood per second that the work got. */
    double hotRate() {
        return hotRate;
    }

    /** Of the cold messages, from the send to the end of the work, in milliseconds. */
    long coldPercentile(int percent) {
        return cold.percentile(percent);
    }

    void assertNothingLostOrRepeatedAndOneRequestPerDeferredDelivery() {
        assertThat(scenario.work().valuesOf(HOT))
                .containsExactlyInAnyOrderElementsOf(namesOf(HOT, messages));
        for (int i = 0; i < COLD_LITE_TOPICS; i++) {
            assertThat(scenario.work().valuesOf("cold-" + i)).doesNotHaveDuplicates();
        }
        long deferred = scenario.metric("throttle.deferredDeliveries");
        assertThat(deferred).isGreaterThan(10);
        assertThat(scenario.metric("rocketmq.deferralRpcs")).isEqualTo(deferred);
        assertThat(scenario.metric("throttle.deferralsDone")).isEqualTo(deferred);
        assertThat(scenario.metric("throttle.deferralsTooLate")).isZero();
        assertThat(scenario.metric("throttle.deferralsAtLeaseEnd")).isZero();
        assertThat(scenario.metric("throttle.forcedByCount")).isZero();
    }

    /** The values a lite topic was sent. */
    static List<String> namesOf(String liteTopic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> liteTopic + "-" + number)
                .collect(Collectors.toList());
    }
}
