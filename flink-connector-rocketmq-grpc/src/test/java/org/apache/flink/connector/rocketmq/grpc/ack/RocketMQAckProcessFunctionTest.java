/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The function within its operator. */
@Timeout(60)
class RocketMQAckProcessFunctionTest {

    private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(400);

    private final ScriptedAcknowledger server = new ScriptedAcknowledger();
    private final AckCorePool pool =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> server,
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));

    private OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness(
            AckingFunction function) throws Exception {
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(function));
        harness.open();
        return harness;
    }

    private static AckableMessage<String> message(String value, int index) {
        return new AckableMessage<>(
                value,
                RocketMQReceiptHandle.builder()
                        .route("127.0.0.1:8081", "", "GID")
                        .message("main", "lite", "m" + index)
                        .receipt("r" + index, System.currentTimeMillis() + 60_000)
                        .delivery("broker-a", 1, 1)
                        .place(index, false)
                        .build());
    }

    @Test
    void acksAndEmitsWithoutWaitingForAnAnswer() throws Exception {
        server.answerByHand();
        AckingFunction function = new AckingFunction(pool);
        try (OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function)) {
            harness.processElement(message("a", 0), 1);
            harness.processElement(message("b", 1), 2);
            harness.snapshot(1, 3);

            assertThat(harness.extractOutputValues()).containsExactly("a", "b");
            assertThat(server.ackedIds()).containsExactly("m0");
            server.answerAtOnce();
            server.answerLastAck();
            assertThat(server.ackedIds()).containsExactly("m0", "m1");
        }
        assertThat(pool.size()).isZero();
        assertThat(server.closes()).isEqualTo(1);
    }

    @Test
    void aFatalFailureIsRaisedByTheNextAck() throws Exception {
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "UNAUTHORIZED"));
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(new AckingFunction(pool));
        harness.processElement(message("a", 0), 1);

        assertThatThrownBy(() -> harness.processElement(message("b", 1), 2))
                .isInstanceOf(AckFailedException.class)
                .hasMessageContaining("lite topic lite, message m0, code UNAUTHORIZED");
        harness.close();
        assertThat(pool.size()).isZero();
    }

    @Test
    void aFatalFailureIsRaisedByTheNextCheckpoint() throws Exception {
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(new AckingFunction(pool));
        harness.processElement(message("a", 0), 1);

        assertThatThrownBy(() -> harness.snapshot(1, 2))
                .hasStackTraceContaining("message m0, code FORBIDDEN");
        harness.close();
    }

    @Test
    void aFatalFailureThatNobodyRaisedIsRaisedByClose() throws Exception {
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(new AckingFunction(pool));
        harness.processElement(message("a", 0), 1);

        assertThatThrownBy(harness::close).hasStackTraceContaining("message m0, code FORBIDDEN");
        assertThat(pool.size()).isZero();
    }

    @Test
    void aFatalFailureIsRaisedByItselfSoon() throws Exception {
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(new AckingFunction(pool));
        harness.processElement(message("a", 0), 1);

        assertThatThrownBy(() -> harness.setProcessingTime(200))
                .hasStackTraceContaining("message m0, code FORBIDDEN");
        harness.close();
    }

    @Test
    void aStaleAckFailsNothing() throws Exception {
        server.ackScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        AckingFunction function = new AckingFunction(pool);
        try (OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function)) {
            harness.processElement(message("a", 0), 1);
            harness.setProcessingTime(10_000);
            harness.snapshot(1, 3);
            assertThat(function.last).isCompletedWithValue(AckOutcome.STALE);
        }
    }

    // beside case 17
    @Test
    void closeWaitsForWhatIsUnderWay() throws Exception {
        AckingFunction function =
                new AckingFunction(
                        pool,
                        new Configuration()
                                .set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofMinutes(5)));
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function);
        server.answerByHand();
        harness.processElement(message("late", 0), 1);
        CompletableFuture<Void> answer =
                CompletableFuture.runAsync(
                        server::answerLastAck,
                        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS));
        harness.close();

        assertThat(server.ackedIds()).containsExactly("m0");
        assertThat(function.last).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(server.changes).as("nothing is unfinished").isEmpty();
        answer.join();
    }

    @Test
    void whatItClaimedAndDidNotFinishBecomesVisibleAtTheEnd() throws Exception {
        AckingFunction function = new AckingFunction(pool);
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function);
        harness.processElement(message("claim", 0), 1);
        harness.processElement(message("claim", 1), 1);
        function.ack(message("claim", 0));
        harness.close();

        assertThat(server.ackedIds()).containsExactly("m0");
        assertThat(server.changes).hasSize(1);
        assertThat(server.changes.get(0).entry.messageId()).isEqualTo("m1");
        assertThat(server.changes.get(0).duration).isZero();
        assertThat(function.client.stats().released).hasValue(1);
    }

    @Test
    void whatItParksIsInTheSideOutputBeforeItIsAcked() throws Exception {
        try (OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(new AckingFunction(pool))) {
            harness.processElement(message("park", 0), 1);

            assertThat(harness.getSideOutput(AckingFunction.PARKED))
                    .extracting(record -> record.getValue().getValue())
                    .containsExactly("park");
            assertThat(server.ackedIds()).containsExactly("m0");
        }
    }

    // beside case 17
    @Test
    void closeGivesUpAtItsTimeoutAndCountsTheLoss() throws Exception {
        AckingFunction function = new AckingFunction(pool);
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function);
        server.answerByHand();
        harness.processElement(message("a", 0), 1);
        long start = System.nanoTime();
        harness.close();

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(CLOSE_TIMEOUT.minusMillis(50), CLOSE_TIMEOUT.plusSeconds(10));
        assertThat(function.client.stats().lostAtClose).hasValue(1);
        assertThat(function.last).isCompletedExceptionally();
    }

    @Test
    void anInterruptedCloseDoesNotWait() throws Exception {
        AckingFunction function =
                new AckingFunction(
                        pool,
                        new Configuration()
                                .set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofMinutes(5)));
        OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function);
        server.answerByHand();
        harness.processElement(message("a", 0), 1);
        Thread.currentThread().interrupt();
        try {
            function.close();
        } finally {
            assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
        }
        assertThat(function.client.stats().lostAtClose).hasValue(1);
        harness.close();
    }

    @Test
    void itsMetricsTellWhatBecameOfItsAcks() throws Exception {
        AckingFunction function = new AckingFunction(pool);
        try (OneInputStreamOperatorTestHarness<AckableMessage<String>, String> harness =
                harness(function)) {
            harness.processElement(message("a", 0), 1);
            harness.processElement(message("defer", 1), 2);
            harness.processElement(message("b", 2), 3);

            AckStats stats = function.client.stats();
            assertThat(stats.settled).hasValue(2);
            assertThat(stats.dropped).hasValue(1);
            assertThat(stats.deferrals).hasValue(1);
            assertThat(stats.deferralRpcs).hasValue(1);
        }
    }

    @Test
    void wrongOptionsAreRefusedWhereTheFunctionIsMade() {
        Configuration wrong = new Configuration().set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 0);

        assertThatThrownBy(() -> new AckingFunction(pool, wrong))
                .hasMessageContaining("rocketmq.ack.max-in-flight: 0");
    }

    @Test
    void withoutOpenThereIsOneClearError() {
        assertThatThrownBy(() -> new AckingFunction(pool).ack(message("a", 0)))
                .hasMessageContaining("open() of the super class was called");
    }

    @Test
    void closeWithoutOpenIsHarmless() throws Exception {
        new AckingFunction(pool).close();
        assertThat(pool.size()).isZero();
    }

    /** Acks what it gets, or defers it if it says so. */
    private static final class AckingFunction extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        private static final OutputTag<AckableMessage<String>> PARKED =
                new OutputTag<>("parked", AckableMessageTypeInfo.of(Types.STRING));

        private final transient AckCorePool pool;
        private transient RocketMQLiteAckClient client;
        private transient CompletableFuture<AckOutcome> last;

        AckingFunction(AckCorePool pool) {
            this(
                    pool,
                    new Configuration().set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, CLOSE_TIMEOUT));
        }

        AckingFunction(AckCorePool pool, Configuration configuration) {
            super(configuration);
            this.pool = pool;
        }

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            client = RocketMQLiteAckClient.acquire(pool, config);
            return client;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            if (message.getValue().equals("claim")) {
                claim(message);
            } else if (message.getValue().equals("park")) {
                last = park(message, PARKED, context);
            } else if (message.getValue().equals("defer")) {
                last = defer(message, Duration.ofSeconds(10));
            } else {
                last = ack(message);
                out.collect(message.getValue());
            }
        }
    }
}
