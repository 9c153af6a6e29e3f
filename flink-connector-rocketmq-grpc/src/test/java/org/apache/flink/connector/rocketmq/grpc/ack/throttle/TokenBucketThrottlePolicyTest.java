/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, delays and memory of the ready-made token bucket. */
class TokenBucketThrottlePolicyTest {

    @Test
    void admitsTheBurstAndThenAsksToWaitForAFullDelivery() {
        TokenBucketThrottlePolicy<String> policy = started(100, 50);

        assertThat(admitted(policy, "a", START)).isEqualTo(50);
        assertThat(ask(policy, "a", START)).contains(Duration.ofMillis(320));
        assertThat(ask(policy, "a", START + 5)).contains(Duration.ofMillis(315));
    }

    @Test
    void asksToWaitForTheBurstOnlyIfThatIsLess() {
        TokenBucketThrottlePolicy<String> policy = started(100, 4);

        assertThat(admitted(policy, "a", START)).isEqualTo(4);
        assertThat(ask(policy, "a", START)).contains(Duration.ofMillis(40));
    }

    @Test
    void aDelayIsRoundedUpAndNeverZero() {
        TokenBucketThrottlePolicy<String> fast = started(1_000_000, 1);
        admitted(fast, "a", START);
        TokenBucketThrottlePolicy<String> thirds = started(3, 1);
        admitted(thirds, "a", START);

        assertThat(ask(fast, "a", START)).contains(Duration.ofMillis(1));
        assertThat(ask(thirds, "a", START)).contains(Duration.ofMillis(334));
    }

    @Test
    void liteTopicsHaveBucketsOfTheirOwn() {
        TokenBucketThrottlePolicy<String> policy = started(10, 2);

        assertThat(admitted(policy, "a", START)).isEqualTo(2);
        assertThat(admitted(policy, "b", START)).isEqualTo(2);
    }

    @Test
    void clustersAndGroupsDoNotShareTheBucketsOfTheirLiteTopics() {
        TokenBucketThrottlePolicy<String> policy = started(10, 1);
        FixedContext here = new FixedContext("rocketmq-1:8081", "GID", "a", 0, START);

        assertThat(policy.onMessage("v", here)).isEmpty();
        assertThat(policy.onMessage("v", here)).isPresent();
        assertThat(policy.onMessage("v", new FixedContext("rocketmq-2:8081", "GID", "a", 0, START)))
                .isEmpty();
        assertThat(policy.onMessage("v", new FixedContext("rocketmq-1:8081", "GI", "a", 0, START)))
                .isEmpty();
        assertThat(policy.buckets()).isEqualTo(3);
    }

    @Test
    void wholeDeliveriesAreRefusedAtTheirFirstMessageOnlyAndPayTheirDebt() {
        TokenBucketThrottlePolicy<String> policy =
                TokenBucketThrottlePolicy.<String>of(10, 4).wholeDeliveries();
        policy.start();

        for (int index = 0; index < 32; index++) {
            assertThat(policy.onMessage("v", new FixedContext("a", index, START))).isEmpty();
        }
        assertThat(ask(policy, "a", START)).contains(Duration.ofMillis(3200));
        assertThat(ask(policy, "a", START + 2800)).contains(Duration.ofMillis(400));
        assertThat(ask(policy, "a", START + 3200)).isEmpty();
    }

    @Test
    void whatIsMadeGoodAndNotUsedIsLostAndAQuietBucketHoldsItsBurstAgain() {
        TokenBucketThrottlePolicy<String> policy = started(10, 100);
        assertThat(admitted(policy, "a", START)).isEqualTo(100);
        assertThat(ask(policy, "a", START)).contains(Duration.ofMillis(3_200));

        // two seconds late: 32 tokens are there, and those of the delay
        long arrival = START + 5_200;
        assertThat(ask(policy, "a", arrival)).isEmpty();
        assertThat(ask(policy, "a", arrival + 11_000)).isEmpty();
        assertThat(admitted(policy, "a", arrival + 14_000)).isEqualTo(100);
    }

    @Test
    void aBucketInDebtIsNotTakenForFull() {
        TokenBucketThrottlePolicy<String> policy =
                TokenBucketThrottlePolicy.<String>of(1, 1).wholeDeliveries();
        policy.start();
        for (int index = 0; index < 32; index++) {
            policy.onMessage("v", new FixedContext("a", index, START));
        }

        ask(policy, "b", START + 30_000);

        assertThat(ask(policy, "a", START + 30_000)).contains(Duration.ofMillis(2000));
        assertThat(policy.forgotten()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-15, 1e-300, Double.MIN_VALUE})
    void aRateThatIsAlmostNoneNeverFillsABucketAgain(double rate) {
        TokenBucketThrottlePolicy<String> policy = started(rate, 2);
        admitted(policy, "a", START);
        ask(policy, "b", START + 1);

        assertThat(policy.buckets()).isEqualTo(2);
        assertThat(ask(policy, "a", START + 1_000_000_000L))
                .hasValueSatisfying(wait -> assertThat(wait).isGreaterThan(Duration.ofDays(365)));
        assertThat(ask(policy, "a", START + 2_000_000_000L)).isPresent();
    }

    @Test
    void quietTimeFillsTheBucketToTheBurstAndNoFurther() {
        TokenBucketThrottlePolicy<String> policy = started(10, 5);
        admitted(policy, "a", START);

        assertThat(admitted(policy, "b", START)).isEqualTo(5);
        assertThat(ask(policy, "b", START + 100)).isEmpty();
        assertThat(admitted(policy, "a", START + 60_000)).isLessThanOrEqualTo(5 + 20);
    }

    @Test
    void tokensGainedWhileADeferredMessageWasLateAreKept() {
        TokenBucketThrottlePolicy<String> policy = started(100, 32);
        admitted(policy, "a", START);
        long due = START + 320;

        assertThat(admitted(policy, "a", due + 80)).isEqualTo(40);
    }

    @Test
    void latenessIsMadeGoodForTwoSecondsAtMost() {
        TokenBucketThrottlePolicy<String> policy = started(100, 32);
        admitted(policy, "a", START);

        assertThat(admitted(policy, "a", START + 320 + 60_000)).isEqualTo(232);
    }

    @Test
    void timeSpentOnTheMessagesOfALateDeliveryIsNotLost() {
        TokenBucketThrottlePolicy<String> policy = started(100, 32);
        admitted(policy, "a", START);
        long now = START + 320 + 80;
        int admitted = 0;

        while (!ask(policy, "a", now).isPresent()) {
            admitted++;
            now += 5;
        }

        assertThat(admitted).isBetween(79, 80);
    }

    @Test
    void aClockThatStepsBackAddsNothingAndForgetsNothing() {
        TokenBucketThrottlePolicy<String> policy = started(100, 10);
        admitted(policy, "a", START);

        assertThat(ask(policy, "a", START - 60_000)).isPresent();
        assertThat(admitted(policy, "a", START - 60_000 + 100)).isEqualTo(10);
    }

    @Test
    void fullBucketsNeedNoMemory() {
        TokenBucketThrottlePolicy<String> policy = started(100, 10);

        for (int i = 0; i < 1_000_000; i++) {
            policy.onMessage("v", new FixedContext("tenant-" + i, 0, START + i));
        }

        assertThat(policy.buckets()).isLessThanOrEqualTo(100 + 2000 + 1);
        assertThat(policy.forgotten()).isZero();
    }

    @Test
    void aBucketInUseIsNotForgottenForYoungerOnes() {
        TokenBucketThrottlePolicy<String> policy = started(1, 10);
        admitted(policy, "hot", START);

        for (int i = 0; i < 5_000; i++) {
            policy.onMessage("v", new FixedContext("tenant-" + i, 0, START + i));
        }

        assertThat(admitted(policy, "hot", START + 5_000)).isEqualTo(5);
    }

    @Test
    void beyondTheBoundTheBucketUsedLongestAgoIsForgottenAndCounted() {
        TokenBucketThrottlePolicy<String> policy = TokenBucketThrottlePolicy.bounded(0.001, 10, 3);
        policy.start();
        admitted(policy, "a", START);
        for (String liteTopic : new String[] {"b", "c", "d"}) {
            ask(policy, liteTopic, START);
        }

        assertThat(policy.buckets()).isEqualTo(3);
        assertThat(policy.forgotten()).isOne();
        assertThat(admitted(policy, "a", START)).isEqualTo(10);
    }

    @Test
    void travelsToTheTaskManagers() throws Exception {
        TokenBucketThrottlePolicy<String> copy =
                InstantiationUtil.clone(TokenBucketThrottlePolicy.<String>of(100, 4));
        copy.start();

        assertThat(admitted(copy, "a", START)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void aRateThatIsNoneIsRefused(double rate) {
        assertThatThrownBy(() -> TokenBucketThrottlePolicy.of(rate, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("rate per second: " + rate + " (expected: more than 0)");
    }

    @Test
    void aBurstBelowOneIsRefused() {
        assertThatThrownBy(() -> TokenBucketThrottlePolicy.of(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("burst: 0 (expected: at least 1)");
    }

    private static TokenBucketThrottlePolicy<String> started(double rate, int burst) {
        TokenBucketThrottlePolicy<String> policy = TokenBucketThrottlePolicy.of(rate, burst);
        policy.start();
        return policy;
    }

    private static Optional<Duration> ask(
            TokenBucketThrottlePolicy<String> policy, String liteTopic, long now) {
        return policy.onMessage("v", new FixedContext(liteTopic, 0, now));
    }

    /** How many messages go on at a moment; the one after them is refused. */
    private static int admitted(
            TokenBucketThrottlePolicy<String> policy, String liteTopic, long now) {
        int admitted = 0;
        while (!ask(policy, liteTopic, now).isPresent()) {
            admitted++;
        }
        return admitted;
    }
}
