/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.configuration;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.message;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Throttles.deliver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckOutcome;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

/** The gate inside an operator: output, requests, state. */
class RocketMQThrottleGateTest {

    private static final OutputTag<AckableMessage<Integer>> PARKED =
            new OutputTag<>("parked", AckableMessageTypeInfo.of(Types.INT));

    private static final MessageThrottlePolicy<Integer> ALWAYS_TEN_SECONDS =
            value -> Optional.of(Duration.ofSeconds(10));

    @Test
    void admitsUnacknowledgedAndSilencesTheRestWithOneRequest() throws Exception {
        RecordingGate gate = gate(value -> refuseFrom(value, 3));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            deliver(harness, "a", 1, 0, 31);

            assertThat(harness.extractOutputValues())
                    .containsExactly(
                            message("a", 1, 0, 0), message("a", 1, 1, 1), message("a", 1, 2, 2));
            assertThat(gate.settled()).containsExactly("defer a-3 10000 ms");
        }
    }

    @Test
    void theNextDeliveryBeginsWithTheRefusedMessage() throws Exception {
        int[] budget = {3};
        RecordingGate gate =
                gate(
                        value ->
                                budget[0]-- > 0
                                        ? Optional.empty()
                                        : Optional.of(Duration.ofSeconds(1)));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            deliver(harness, "a", 1, 0, 9);
            budget[0] = 4;
            deliver(harness, "a", 2, 3, 9);

            assertThat(harness.extractOutputValues())
                    .extracting(AckableMessage::getValue)
                    .containsExactly(0, 1, 2, 3, 4, 5, 6);
            assertThat(gate.settled()).containsExactly("defer a-3 1000 ms", "defer a-7 1000 ms");
        }
    }

    @Test
    void aMessageThatIsAlwaysRefusedIsAdmittedOnceThroughTheValve() throws Exception {
        RecordingGate gate = gate(ALWAYS_TEN_SECONDS);
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            int cycles = 0;
            while (cycles < 40 && harness.extractOutputValues().isEmpty()) {
                harness.setProcessingTime(START + cycles * 10_000L);
                deliver(harness, "a", 1 + cycles, 0, 4);
                cycles++;
            }

            assertThat(cycles).isEqualTo(17);
            assertThat(harness.extractOutputValues()).containsExactly(message("a", 17, 0, 0));
            assertThat(gate.counters().forcedByCount.getCount()).isOne();
            assertThat(gate.counters().deferredDeliveries.getCount()).isEqualTo(17);
            assertThat(gate.settled().subList(0, 16)).containsOnly("defer a-0 10000 ms");
            assertThat(gate.settled().subList(16, 17)).containsOnly("defer a-1 10000 ms");
        }
    }

    @Test
    void aRestartAfterTenDeferralsStillFiresAtSixteen() throws Exception {
        OperatorSubtaskState state = deferTenTimes("a");

        assertThat(deferralsUntilAdmitted("a", 0, 1, state)).isEqualTo(6);
    }

    @Test
    void theCountFollowsTheMessageToAnySubtaskAtAnyParallelism() throws Exception {
        OperatorSubtaskState first = deferTenTimes("a");
        OperatorSubtaskState second = deferTenTimes("b");

        for (int subtask = 0; subtask < 3; subtask++) {
            OperatorSubtaskState share = Throttles.share(2, 3, subtask, first, second);
            assertThat(deferralsUntilAdmitted("a", subtask, 3, share)).isEqualTo(6);
            assertThat(deferralsUntilAdmitted("b", subtask, 3, share)).isEqualTo(6);
        }
        OperatorSubtaskState all = Throttles.share(2, 1, 0, first, second);
        assertThat(deferralsUntilAdmitted("b", 0, 1, all)).isEqualTo(6);
    }

    @Test
    void theCountSurvivesRestartsInWhichTheMessageDidNotShowUp() throws Exception {
        OperatorSubtaskState state = deferTenTimes("a");
        for (int parallelism : new int[] {2, 3}) {
            OperatorSubtaskState[] shares = new OperatorSubtaskState[parallelism];
            for (int subtask = 0; subtask < parallelism; subtask++) {
                try (OneInputStreamOperatorTestHarness<
                                AckableMessage<Integer>, AckableMessage<Integer>>
                        harness =
                                Throttles.restore(
                                        gate(ALWAYS_TEN_SECONDS), subtask, parallelism, state)) {
                    shares[subtask] = harness.snapshot(1, START);
                }
            }
            state = Throttles.share(parallelism, 1, 0, shares);
        }

        assertThat(deferralsUntilAdmitted("a", 0, 1, state)).isEqualTo(6);
    }

    @Test
    void afterARestartTheRestOfADeferredDeliveryIsJudgedAnew() throws Exception {
        OperatorSubtaskState state;
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate(value -> refuseFrom(value, 3)))) {
            deliver(harness, "a", 1, 0, 4);
            assertThat(harness.extractOutputValues()).hasSize(3);
            state = harness.snapshot(1, START);
        }
        RecordingGate gate = gate(value -> refuseFrom(value, 6));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.restore(gate, 0, 1, state)) {
            for (int inFlight = 5; inFlight <= 8; inFlight++) {
                harness.processElement(message("a", 1, inFlight, inFlight), START);
            }
            deliver(harness, "a", 2, 3, 8);

            assertThat(harness.extractOutputValues())
                    .extracting(AckableMessage::getValue)
                    .containsExactly(5, 3, 4, 5);
            assertThat(gate.settled()).containsExactly("defer a-6 10000 ms", "defer a-6 10000 ms");
        }
    }

    @Test
    void aForcedMessageIsParkedUnacknowledgedWithAllItsRecords() throws Exception {
        RecordingGate gate = new RecordingGate(ALWAYS_TEN_SECONDS, configuration(2));
        gate.parkTo(PARKED);
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            for (int delivery = 1; delivery <= 3; delivery++) {
                for (int part = 0; part < 2; part++) {
                    AckableMessage<Integer> whole = message("a", delivery, 0, 0);
                    harness.processElement(
                            new AckableMessage<>(
                                    part,
                                    whole.getReceiptHandle().toBuilder().part(part, 2).build()),
                            START);
                }
            }

            assertThat(harness.extractOutputValues()).isEmpty();
            assertThat(harness.getSideOutput(PARKED))
                    .extracting(record -> record.getValue().getValue())
                    .containsExactly(0, 1);
            assertThat(gate.settled()).containsExactly("defer a-0 10000 ms", "defer a-0 10000 ms");
            assertThat(gate.counters().parked.getCount()).isEqualTo(2);
        }
    }

    @Test
    void deferralsThatHadToWaitForTheEndOfTheLeaseAreCounted() throws Exception {
        RecordingGate gate = gate(ALWAYS_TEN_SECONDS);
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            deliver(harness, "a", 1, 0, 3);
            deliver(harness, "b", 1, 0, 3);
            gate.answers().get(0).complete(AckOutcome.SETTLED);
            assertThat(gate.counters().deferralsAtLeaseEnd.getCount()).isZero();

            harness.setProcessingTime(START + Deliveries.LEASE_MILLIS - 1000);
            gate.answers().get(1).complete(AckOutcome.SETTLED);

            assertThat(gate.counters().deferralsAtLeaseEnd.getCount()).isOne();
            assertThat(gate.counters().deferralsDone.getCount()).isEqualTo(2);
        }
    }

    @Test
    void outcomesOfDeferralsAreCounted() throws Exception {
        RecordingGate gate = gate(ALWAYS_TEN_SECONDS);
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            deliver(harness, "a", 1, 0, 3);
            deliver(harness, "b", 1, 0, 3);
            deliver(harness, "c", 1, 0, 3);
            assertThat(gate.counters().deferralsDone.getCount()).isZero();

            gate.answers().get(0).complete(AckOutcome.SETTLED);
            gate.answers().get(1).complete(AckOutcome.STALE);
            gate.answers().get(2).complete(AckOutcome.DROPPED);

            assertThat(gate.counters().deferralsDone.getCount()).isOne();
            assertThat(gate.counters().deferralsTooLate.getCount()).isOne();
            assertThat(gate.counters().deferredDeliveries.getCount()).isEqualTo(3);
            assertThat(gate.counters().letGo.getCount()).isEqualTo(9);
        }
    }

    @Test
    void theTypeOfTheMessagesIsKeptOffTheGenericSerializer() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        AckableMessage<String> message = new AckableMessage<>("v", Deliveries.handle("a", 1, 0, 0));

        assertThat(
                        env.fromData(AckableMessageTypeInfo.of(Types.STRING), message)
                                .keyBy(AckableMessage::getLiteTopic)
                                .process(
                                        new RocketMQThrottleGate<>(
                                                TokenBucketThrottlePolicy.of(1, 1)))
                                .getType())
                .isEqualTo(AckableMessageTypeInfo.of(Types.STRING));
    }

    @Test
    void wrongOptionsAreRefusedWhenTheGateIsMade() {
        Configuration configuration = new Configuration();
        configuration.set(RocketMQGrpcThrottleOptions.MAX_DELIVERY_ATTEMPT, 0);

        assertThatThrownBy(() -> new RocketMQThrottleGate<>(ALWAYS_TEN_SECONDS, configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rocketmq.throttle.max-delivery-attempt: 0");
        assertThatThrownBy(() -> new RocketMQThrottleGate<Integer>(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("policy");
    }

    private static RecordingGate gate(MessageThrottlePolicy<Integer> policy) {
        return new RecordingGate(policy, new Configuration());
    }

    private static Optional<Duration> refuseFrom(int value, int first) {
        return value < first ? Optional.empty() : Optional.of(Duration.ofSeconds(10));
    }

    private static OperatorSubtaskState deferTenTimes(String liteTopic) throws Exception {
        RecordingGate gate = new RecordingGate(ALWAYS_TEN_SECONDS, configuration(16));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.start(gate)) {
            for (int delivery = 1; delivery <= 10; delivery++) {
                deliver(harness, liteTopic, delivery, 0, 2);
            }
            assertThat(harness.extractOutputValues()).isEmpty();
            return harness.snapshot(1, START);
        }
    }

    private static int deferralsUntilAdmitted(
            String liteTopic, int subtask, int parallelism, OperatorSubtaskState state)
            throws Exception {
        RecordingGate gate = new RecordingGate(ALWAYS_TEN_SECONDS, configuration(16));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, AckableMessage<Integer>>
                harness = Throttles.restore(gate, subtask, parallelism, state)) {
            for (int delivery = 11; delivery < 40; delivery++) {
                deliver(harness, liteTopic, delivery, 0, 0);
                if (!harness.extractOutputValues().isEmpty()) {
                    return gate.settled().size();
                }
            }
            throw new AssertionError("never admitted");
        }
    }
}
