/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What rate a token bucket yields against the server's way to deliver. */
class TokenBucketRateTest {

    private static final int SECONDS = 60;

    private final ThrottleCounters counters = new ThrottleCounters();

    @ParameterizedTest(name = "{0} per second, burst {1}, {2} ms of work")
    @CsvSource({
        "1,   1,   0",
        "5,   5,   0",
        "20,  10,  0",
        "20,  32,  5",
        "50,  32,  0",
        "100, 1,   0",
        "100, 10,  0",
        "100, 32,  0",
        "100, 32,  5",
        "100, 200, 2",
        "200, 32,  0",
        "200, 64,  2",
        "300, 32,  0"
    })
    void aFloodComesOutAtTheRate(int rate, int burst, int workMillis) throws Exception {
        HotLiteTopicModel hot = new HotLiteTopicModel(core(rate, burst), workMillis);

        int before = hot.runUntil(START + 5_000);
        int after = hot.runUntil(START + 5_000 + SECONDS * 1000L);

        assertThat((after - before) / (double) SECONDS).isCloseTo(rate, within(0.05 * rate));
        assertThat(after).isLessThanOrEqualTo(burst + rate * (SECONDS + 5 + 2 + 2));
        assertThat(counters.forcedByCount.getCount()).isZero();
    }

    @ParameterizedTest(name = "{0} per second, burst {1}, {2} ms of work")
    @CsvSource({"5, 5, 0", "50, 32, 0", "100, 1, 0", "100, 32, 5", "200, 64, 2"})
    void wholeDeliveriesComeOutAtTheRateToo(int rate, int burst, int workMillis) throws Exception {
        TokenBucketThrottlePolicy<Integer> policy =
                TokenBucketThrottlePolicy.<Integer>of(rate, burst).wholeDeliveries();
        policy.start();
        HotLiteTopicModel hot =
                new HotLiteTopicModel(Deliveries.core(policy, counters), workMillis);

        int before = hot.runUntil(START + 10_000);
        int after = hot.runUntil(START + 10_000 + SECONDS * 1000L);

        assertThat(after - before)
                .isBetween((int) (0.9 * rate * SECONDS) - 32, rate * SECONDS + 64);
        assertThat(counters.deferredDeliveries.getCount()).isEqualTo(hot.deferrals());
        assertThat(counters.forcedByCount.getCount()).isZero();
    }

    @Test
    void aFloodCostsOneDeferralPerDeliveryAndNoMessageIsRefusedTwice() throws Exception {
        HotLiteTopicModel hot = new HotLiteTopicModel(core(100, 32), 0);

        int admitted = hot.runUntil(START + SECONDS * 1000L);

        assertThat(counters.deferredDeliveries.getCount()).isEqualTo(hot.deferrals());
        assertThat(counters.deferRequests.getCount()).isEqualTo(hot.deferrals());
        assertThat(hot.deferrals()).isLessThanOrEqualTo(hot.deliveries());
        assertThat(admitted / (double) hot.deferrals()).isGreaterThan(28);
    }

    @Test
    void theDefaultValvesDoNotSpoilALowRate() throws Exception {
        HotLiteTopicModel hot = new HotLiteTopicModel(core(0.1, 1), 0);

        int admitted = hot.runUntil(START + 600_000L);

        assertThat(admitted).isBetween(60, 62);
        assertThat(counters.forcedByCount.getCount()).isZero();
    }

    private ThrottleCore<Integer> core(double rate, int burst) {
        TokenBucketThrottlePolicy<Integer> policy = TokenBucketThrottlePolicy.of(rate, burst);
        policy.start();
        return Deliveries.core(policy, counters);
    }
}
