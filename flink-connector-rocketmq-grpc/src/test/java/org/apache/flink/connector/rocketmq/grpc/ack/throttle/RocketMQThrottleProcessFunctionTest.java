/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Throttles.deliver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

/** The throttle function inside an operator. */
class RocketMQThrottleProcessFunctionTest {

    private static final OutputTag<AckableMessage<Integer>> PARKED =
            new OutputTag<>("parked", AckableMessageTypeInfo.of(Types.INT));

    @Test
    void acksOrDefersOnTheSpotAndEmitsTheValueOfWhatItAcked() throws Exception {
        RecordingThrottle throttle =
                throttle(
                        value ->
                                value < 2
                                        ? Optional.empty()
                                        : Optional.of(Duration.ofMillis(2500)));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(throttle)) {
            deliver(harness, "a", 1, 0, 31);

            assertThat(harness.extractOutputValues()).containsExactly(0, 1);
            assertThat(throttle.settled())
                    .containsExactly("ack a-0", "ack a-1", "defer a-2 2500 ms");
        }
    }

    @Test
    void aMessageThatIsAlwaysRefusedIsAckedExactlyOnceThroughTheValve() throws Exception {
        RecordingThrottle throttle = throttle(value -> Optional.of(Duration.ofSeconds(10)));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(throttle)) {
            for (int cycle = 0; cycle < 40 && harness.extractOutputValues().isEmpty(); cycle++) {
                harness.setProcessingTime(START + cycle * 10_000L);
                deliver(harness, "a", 1 + cycle, 0, 0);
            }

            assertThat(harness.extractOutputValues()).containsExactly(0);
            assertThat(throttle.settled()).hasSize(17).endsWith("ack a-0");
            assertThat(throttle.settled().subList(0, 16)).containsOnly("defer a-0 10000 ms");
            assertThat(throttle.counters().forcedByCount.getCount()).isOne();
        }
    }

    @Test
    void aForcedMessageIsParkedAndThenAcked() throws Exception {
        RecordingThrottle throttle =
                new RecordingThrottle(
                        value -> value == 0 ? Optional.of(Duration.ofSeconds(1)) : Optional.empty(),
                        Deliveries.configuration(2));
        throttle.parkTo(PARKED);
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(throttle)) {
            for (int delivery = 1; delivery <= 3; delivery++) {
                deliver(harness, "a", delivery, 0, 1);
            }

            assertThat(harness.extractOutputValues()).containsExactly(1);
            assertThat(harness.getSideOutput(PARKED))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(Deliveries.message("a", 3, 0, 0));
            assertThat(throttle.settled())
                    .containsExactly(
                            "defer a-0 1000 ms", "defer a-0 1000 ms", "ack a-0", "ack a-1");
            assertThat(throttle.counters().parked.getCount()).isOne();
            assertThat(throttle.counters().forcedByCount.getCount()).isOne();
        }
    }

    @Test
    void theTimeOfThePolicyIsTheProcessingTimeOfTheTask() throws Exception {
        RecordingThrottle throttle = throttle(TokenBucketThrottlePolicy.of(10, 2));
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(throttle)) {
            deliver(harness, "a", 1, 0, 5);
            harness.setProcessingTime(START + 200);
            deliver(harness, "a", 2, 2, 5);

            assertThat(harness.extractOutputValues()).containsExactly(0, 1, 2, 3);
            assertThat(throttle.settled())
                    .containsExactly(
                            "ack a-0",
                            "ack a-1",
                            "defer a-2 200 ms",
                            "ack a-2",
                            "ack a-3",
                            "defer a-4 200 ms");
        }
    }

    @Test
    void thePolicyIsOpenedBeforeTheFirstMessageAndClosedOnce() throws Exception {
        LifeCycle policy = new LifeCycle();
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(throttle(policy))) {
            deliver(harness, "a", 1, 0, 0);
        }

        assertThat(policy.calls).containsExactly("open subtask 0", "message 0", "close");
    }

    @Test
    void aPolicyThatCannotCloseIsReportedAfterTheAckClientWasReleased() throws Exception {
        MessageThrottlePolicy<Integer> policy =
                new MessageThrottlePolicy<Integer>() {
                    @Override
                    public Optional<Duration> onMessage(Integer value) {
                        return Optional.empty();
                    }

                    @Override
                    public void close() throws IOException {
                        throw new IOException("rules cannot be closed");
                    }
                };
        Set<Thread> before = ackThreads();
        OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(new RocketMQThrottleProcessFunction<>(policy));

        assertThatThrownBy(harness::close).hasStackTraceContaining("rules cannot be closed");
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(before).containsAll(ackThreads()));
    }

    private static Set<Thread> ackThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rocketmq-ack"))
                .collect(Collectors.toSet());
    }

    @Test
    void aPolicyThatFailsFailsTheTaskAndNothingIsAcked() throws Exception {
        RecordingThrottle throttle =
                throttle(
                        value -> {
                            throw new IOException("no rules");
                        });
        try (OneInputStreamOperatorTestHarness<AckableMessage<Integer>, Integer> harness =
                Throttles.start(throttle)) {
            assertThatThrownBy(() -> deliver(harness, "tenant-7", 1, 0, 0))
                    .hasMessageContaining("LiteMainTopic/tenant-7, message id tenant-7-0")
                    .hasRootCauseMessage("no rules");
            assertThat(throttle.settled()).isEmpty();
            assertThat(harness.extractOutputValues()).isEmpty();
        }
    }

    @Test
    void theTypeOfTheValuesIsKept() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        AckableMessage<String> message = new AckableMessage<>("v", Deliveries.handle("a", 1, 0, 0));

        assertThat(
                        env.fromData(AckableMessageTypeInfo.of(Types.STRING), message)
                                .process(
                                        new RocketMQThrottleProcessFunction<>(
                                                TokenBucketThrottlePolicy.of(1, 1)))
                                .getType())
                .isEqualTo(Types.STRING);
    }

    private static RecordingThrottle throttle(MessageThrottlePolicy<Integer> policy) {
        return new RecordingThrottle(policy, new Configuration());
    }

    /** A policy that writes down how it is called. */
    private static final class LifeCycle implements MessageThrottlePolicy<Integer> {
        private static final long serialVersionUID = 1L;

        private final transient List<String> calls = new ArrayList<>();

        @Override
        public void open(RuntimeContext context) {
            calls.add("open subtask " + context.getTaskInfo().getIndexOfThisSubtask());
        }

        @Override
        public Optional<Duration> onMessage(Integer value) {
            calls.add("message " + value);
            return Optional.empty();
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
