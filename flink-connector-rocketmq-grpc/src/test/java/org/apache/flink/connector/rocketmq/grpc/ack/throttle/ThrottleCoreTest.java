/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.configuration;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.core;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.ThrottleDecision.Kind;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;
import org.apache.flink.connector.rocketmq.grpc.config.ThrottleConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.junit.jupiter.api.Test;

/** What becomes of a message: memory, policy, valves, in this order. */
class ThrottleCoreTest {

    private static final MessageThrottlePolicy<Integer> ALWAYS_TEN_SECONDS =
            value -> Optional.of(Duration.ofSeconds(10));

    private final ThrottleCounters counters = new ThrottleCounters();

    @Test
    void anEmptyAnswerAdmits() throws Exception {
        ThrottleCore<Integer> core = core(value -> Optional.empty(), counters);

        assertThat(core.decide(message("a", 1, 0, 0), START)).isSameAs(ThrottleDecision.ADMIT);
        assertThat(counters.admitted.getCount()).isOne();
        assertThat(counters.deferRequests.getCount()).isZero();
    }

    @Test
    void theFirstRefusedMessageDefersAndTheRestOfItsDeliveryIsLetGoUnasked() throws Exception {
        List<Integer> asked = new ArrayList<>();
        ThrottleCore<Integer> core =
                core(
                        value -> {
                            asked.add(value);
                            return value < 3
                                    ? Optional.empty()
                                    : Optional.of(Duration.ofSeconds(10));
                        },
                        counters);

        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            kinds.add(core.decide(message("a", 1, i, i), START).kind());
        }

        assertThat(kinds.subList(0, 3)).containsOnly(Kind.ADMIT);
        assertThat(kinds.get(3)).isEqualTo(Kind.DEFER);
        assertThat(kinds.subList(4, 32)).containsOnly(Kind.LET_GO);
        assertThat(asked).containsExactly(0, 1, 2, 3);
        assertThat(counters.admitted.getCount()).isEqualTo(3);
        assertThat(counters.deferredDeliveries.getCount()).isOne();
        assertThat(counters.deferRequests.getCount()).isOne();
        assertThat(counters.letGo.getCount()).isEqualTo(28);
    }

    @Test
    void otherLiteTopicsGroupsAndBrokersAreNotTouchedByADeferral() throws Exception {
        ThrottleCore<Integer> core =
                core(
                        value -> value == 0 ? Optional.of(Duration.ofSeconds(1)) : Optional.empty(),
                        counters);
        AckableMessage<Integer> refused = message("a", 1, 0, 0);
        core.decide(refused, START);

        assertThat(core.decide(message("b", 1, 1, 1), START)).isSameAs(ThrottleDecision.ADMIT);
        assertThat(core.decide(inGroup(message("a", 1, 1, 1), "other"), START))
                .isSameAs(ThrottleDecision.ADMIT);
        assertThat(core.decide(onBroker(message("a", 1, 1, 1), "broker-b"), START))
                .isSameAs(ThrottleDecision.ADMIT);
        assertThat(core.decide(message("a", 1, 1, 1), START)).isSameAs(ThrottleDecision.LET_GO);
    }

    @Test
    void aMessageThatIsAlwaysRefusedLeavesThroughTheValveThoughItsAttemptStaysAtOne()
            throws Exception {
        ThrottleCore<Integer> core = core(ALWAYS_TEN_SECONDS, counters);

        List<Kind> kinds = new ArrayList<>();
        long now = START;
        for (int cycle = 0; cycle < 40 && !kinds.contains(Kind.FORCE); cycle++) {
            AckableMessage<Integer> message = message("a", now, 0, 0);
            assertThat(message.getReceiptHandle().getDeliveryAttempt()).isOne();
            kinds.add(core.decide(message, now).kind());
            now += 10_000;
        }

        assertThat(kinds).hasSize(17).endsWith(Kind.FORCE);
        assertThat(kinds.subList(0, 16)).containsOnly(Kind.DEFER);
        assertThat(counters.forcedByCount.getCount()).isOne();
        assertThat(counters.admitted.getCount()).isOne();
        assertThat(counters.deferredDeliveries.getCount()).isEqualTo(16);
    }

    @Test
    void aMessageForcedOnceIsForcedAgainWhenItComesBack() throws Exception {
        ThrottleCore<Integer> core = core(ALWAYS_TEN_SECONDS, configuration(2), counters);

        assertThat(core.decide(message("a", 1, 0, 0), START).kind()).isEqualTo(Kind.DEFER);
        assertThat(core.decide(message("a", 2, 0, 0), START).kind()).isEqualTo(Kind.DEFER);
        assertThat(core.decide(message("a", 3, 0, 0), START).kind()).isEqualTo(Kind.FORCE);
        assertThat(core.decide(message("a", 4, 0, 0), START).kind()).isEqualTo(Kind.FORCE);
        assertThat(counters.forcedByCount.getCount()).isEqualTo(2);
    }

    @Test
    void theServersDeliveryAttemptForcesToo() throws Exception {
        ThrottleCore<Integer> core = core(ALWAYS_TEN_SECONDS, counters);

        assertThat(core.decide(attempt(message("a", 1, 0, 0), 15), START).kind())
                .isEqualTo(Kind.DEFER);
        assertThat(core.decide(attempt(message("b", 1, 0, 0), 16), START).kind())
                .isEqualTo(Kind.FORCE);
        assertThat(counters.forcedByCount.getCount()).isOne();
    }

    @Test
    void aMessageThePolicyAdmitsIsNotForcedWhateverItsAttempt() throws Exception {
        ThrottleCore<Integer> core = core(value -> Optional.empty(), counters);

        core.decide(attempt(message("a", 1, 0, 0), 99), START);

        assertThat(counters.forcedByCount.getCount()).isZero();
        assertThat(counters.admitted.getCount()).isOne();
    }

    @Test
    void onlyTheRefusedMessageCountsNotTheOnesLetGoBehindIt() throws Exception {
        List<Integer> deferrals = new ArrayList<>();
        ThrottleCore<Integer> core =
                core(
                        asked(
                                (value, context) -> {
                                    deferrals.add(context.getDeferrals());
                                    return value == 0 && context.getDeferrals() == 2
                                            ? Optional.empty()
                                            : Optional.of(Duration.ofSeconds(1));
                                }),
                        counters);

        for (long delivery = 1; delivery <= 3; delivery++) {
            core.decide(message("a", delivery, 0, 0), START);
            core.decide(message("a", delivery, 1, 1), START);
        }

        assertThat(deferrals).containsExactly(0, 1, 2, 0);
    }

    @Test
    void anAdmittedMessageStartsItsCountAfresh() throws Exception {
        List<Integer> deferrals = new ArrayList<>();
        ThrottleCore<Integer> core =
                core(
                        asked(
                                (value, context) -> {
                                    deferrals.add(context.getDeferrals());
                                    return deferrals.size() == 2
                                            ? Optional.empty()
                                            : Optional.of(Duration.ofSeconds(1));
                                }),
                        counters);

        for (long delivery = 1; delivery <= 3; delivery++) {
            core.decide(message("a", delivery, 0, 0), START);
        }

        assertThat(deferrals).containsExactly(0, 1, 0);
    }

    @Test
    void aMessageOverTheMaximumAgeIsForced() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RocketMQGrpcThrottleOptions.MAX_AGE, Duration.ofMinutes(1));
        ThrottleCore<Integer> core = core(ALWAYS_TEN_SECONDS, configuration, counters);

        assertThat(core.decide(message("a", 1, 0, 0), START + 59_999).kind()).isEqualTo(Kind.DEFER);
        assertThat(core.decide(message("a", 2, 0, 0), START + 60_000).kind()).isEqualTo(Kind.FORCE);
        assertThat(counters.forcedByAge.getCount()).isOne();
        assertThat(counters.forcedByCount.getCount()).isZero();
    }

    @Test
    void theAgeForcesThoughTheBoundForgotEveryCount() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(RocketMQGrpcThrottleOptions.MAX_AGE, Duration.ofMinutes(10));
        ThrottleCore<Integer> core =
                new ThrottleCore<>(
                        ALWAYS_TEN_SECONDS,
                        ThrottleConfig.from(configuration),
                        new DeferralCounts(1, counters.forgotten, 0, 1),
                        new DeferralMemory(1000, counters.forgotten),
                        new AdmittedParts(1000, counters.forgotten),
                        counters);

        List<Kind> kinds = new ArrayList<>();
        for (int cycle = 0; cycle <= 60; cycle++) {
            long now = START + cycle * 10_000L;
            kinds.add(core.decide(message("a", 1 + cycle, 0, 0), now).kind());
            core.decide(message("b", 1 + cycle, 0, 0), now);
        }

        assertThat(kinds.subList(0, 60)).containsOnly(Kind.DEFER);
        assertThat(kinds.get(60)).isEqualTo(Kind.FORCE);
        assertThat(counters.forgotten.getCount()).isGreaterThan(60);
        assertThat(counters.forcedByCount.getCount()).isZero();
    }

    @Test
    void aDurationBeyondTheMaximumIsCutAndCounted() throws Exception {
        ThrottleCore<Integer> core =
                core(value -> Optional.of(Duration.ofSeconds(Long.MAX_VALUE)), counters);

        ThrottleDecision decision = core.decide(message("a", 1, 0, 0), START);

        assertThat(decision.duration()).isEqualTo(Duration.ofMinutes(30));
        assertThat(counters.cappedDurations.getCount()).isOne();
    }

    @Test
    void theMaximumItselfIsNotCut() throws Exception {
        ThrottleCore<Integer> core = core(value -> Optional.of(Duration.ofMinutes(30)), counters);

        assertThat(core.decide(message("a", 1, 0, 0), START).duration())
                .isEqualTo(Duration.ofMinutes(30));
        assertThat(counters.cappedDurations.getCount()).isZero();
    }

    @Test
    void aDurationIsRoundedUpToMilliseconds() throws Exception {
        ThrottleCore<Integer> core = core(value -> Optional.of(Duration.ofNanos(value)), counters);

        assertThat(core.decide(message("a", 1, 0, 1), START).duration())
                .isEqualTo(Duration.ofMillis(1));
        assertThat(core.decide(message("b", 1, 0, 1_000_000), START).duration())
                .isEqualTo(Duration.ofMillis(1));
        assertThat(core.decide(message("c", 1, 0, 1_000_001), START).duration())
                .isEqualTo(Duration.ofMillis(2));
    }

    @Test
    void zeroAndNegativeDurationsAdmit() throws Exception {
        ThrottleCore<Integer> core = core(value -> Optional.of(Duration.ofMillis(value)), counters);

        assertThat(core.decide(message("a", 1, 0, 0), START)).isSameAs(ThrottleDecision.ADMIT);
        assertThat(core.decide(message("a", 1, 1, -5), START)).isSameAs(ThrottleDecision.ADMIT);
        assertThat(counters.deferRequests.getCount()).isZero();
    }

    @Test
    void aFailingPolicyNamesItselfAndTheMessage() {
        ThrottleCore<Integer> core =
                core(
                        value -> {
                            throw new IOException("rules are not there");
                        },
                        counters);

        assertThatThrownBy(() -> core.decide(message("tenant-7", 1, 0, 3), START))
                .hasMessageContaining("Throttle policy " + getClass().getName())
                .hasMessageContaining("LiteMainTopic/tenant-7, message id tenant-7-3")
                .hasMessageContaining("rules are not there")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void anInterruptedPolicyIsNotTakenForAFailure() {
        ThrottleCore<Integer> core =
                core(
                        value -> {
                            throw new InterruptedException();
                        },
                        counters);

        assertThatThrownBy(() -> core.decide(message("a", 1, 0, 0), START))
                .isExactlyInstanceOf(InterruptedException.class);
    }

    @Test
    void aNullAnswerFailsWithASentence() {
        ThrottleCore<Integer> core = core(value -> null, counters);

        assertThatThrownBy(() -> core.decide(message("a", 1, 0, 0), START))
                .hasMessageContaining("LiteMainTopic/a, message id a-0")
                .hasMessageContaining("returned null (expected: empty or a duration)");
    }

    @Test
    void thePolicySeesWhereTheMessageComesFrom() throws Exception {
        List<String> seen = new ArrayList<>();
        ThrottleCore<Integer> core =
                core(
                        asked(
                                (value, c) -> {
                                    seen.add(
                                            String.join(
                                                    " ",
                                                    c.getTopic(),
                                                    c.getLiteTopic(),
                                                    c.getConsumerGroup(),
                                                    c.getMessageId(),
                                                    "attempt=" + c.getDeliveryAttempt(),
                                                    "index=" + c.getIndexInDelivery(),
                                                    "born=" + c.getBornTimestamp(),
                                                    "now=" + c.currentTimeMillis()));
                                    return Optional.empty();
                                }),
                        counters);

        core.decide(attempt(message("a", 9, 4, 7), 2), START + 5);

        assertThat(seen)
                .containsExactly(
                        "LiteMainTopic a GID-lite a-7 attempt=2 index=4 born="
                                + START
                                + " now="
                                + (START + 5));
    }

    @Test
    void allRecordsOfAMessageFollowTheFirstOne() throws Exception {
        List<Integer> asked = new ArrayList<>();
        ThrottleCore<Integer> core =
                core(
                        value -> {
                            asked.add(value);
                            return asked.size() == 1
                                    ? Optional.empty()
                                    : Optional.of(Duration.ofSeconds(1));
                        },
                        counters);

        List<Kind> kinds = new ArrayList<>();
        for (int offset = 0; offset < 2; offset++) {
            for (int part = 0; part < 3; part++) {
                AckableMessage<Integer> whole = message("a", 1, offset, offset);
                kinds.add(
                        core.decide(
                                        new AckableMessage<>(
                                                offset,
                                                whole.getReceiptHandle().toBuilder()
                                                        .part(part, 3)
                                                        .build()),
                                        START)
                                .kind());
            }
        }

        assertThat(kinds)
                .containsExactly(
                        Kind.ADMIT, Kind.ADMIT, Kind.ADMIT, Kind.DEFER, Kind.LET_GO, Kind.LET_GO);
        assertThat(asked).containsExactly(0, 1);
    }

    @Test
    void outOfOrderALowerRefusalMovesTheDeferralDownAndCountsOneDelivery() throws Exception {
        ThrottleCore<Integer> core = core(ALWAYS_TEN_SECONDS, counters);

        assertThat(core.decide(message("a", 1, 5, 5), START).kind()).isEqualTo(Kind.DEFER);
        assertThat(core.decide(message("a", 1, 3, 3), START).kind()).isEqualTo(Kind.DEFER);
        assertThat(core.decide(message("a", 1, 4, 4), START).kind()).isEqualTo(Kind.LET_GO);
        assertThat(core.decide(message("a", 1, 7, 7), START).kind()).isEqualTo(Kind.LET_GO);

        assertThat(counters.deferredDeliveries.getCount()).isOne();
        assertThat(counters.deferRequests.getCount()).isEqualTo(2);
    }

    private static AckableMessage<Integer> attempt(AckableMessage<Integer> message, int attempt) {
        return new AckableMessage<>(
                message.getValue(),
                message.getReceiptHandle().toBuilder()
                        .delivery("broker-a", message.getReceiptHandle().getDeliveryId(), attempt)
                        .build());
    }

    private static AckableMessage<Integer> inGroup(AckableMessage<Integer> message, String group) {
        return new AckableMessage<>(
                message.getValue(),
                message.getReceiptHandle().toBuilder().route("127.0.0.1:8081", "", group).build());
    }

    private static AckableMessage<Integer> onBroker(
            AckableMessage<Integer> message, String broker) {
        return new AckableMessage<>(
                message.getValue(),
                message.getReceiptHandle().toBuilder().delivery(broker, 1, 1).build());
    }

    private static MessageThrottlePolicy<Integer> asked(WithContext judge) {
        return new MessageThrottlePolicy<Integer>() {
            @Override
            public Optional<Duration> onMessage(Integer value) {
                throw new AssertionError("the context was not passed on");
            }

            @Override
            public Optional<Duration> onMessage(Integer value, ThrottleContext context) {
                return judge.onMessage(value, context);
            }
        };
    }

    /** A policy that needs the context. */
    private interface WithContext {
        Optional<Duration> onMessage(Integer value, ThrottleContext context);
    }
}
