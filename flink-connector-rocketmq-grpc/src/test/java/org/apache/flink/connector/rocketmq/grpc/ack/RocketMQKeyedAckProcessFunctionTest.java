/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleTypeInfo;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keyed state and timers around acks. */
@Timeout(60)
class RocketMQKeyedAckProcessFunctionTest {

    private final ScriptedAcknowledger server = new ScriptedAcknowledger();
    private final AckCorePool pool =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> server,
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));

    private KeyedOneInputStreamOperatorTestHarness<String, AckableMessage<String>, String> open(
            OperatorSubtaskState state) throws Exception {
        KeyedOneInputStreamOperatorTestHarness<String, AckableMessage<String>, String> harness =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new KeyedProcessOperator<>(new AckByTimer(pool)),
                        AckableMessage::getLiteTopic,
                        Types.STRING);
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }

    private static AckableMessage<String> message(String liteTopic) {
        return new AckableMessage<>(
                "value",
                RocketMQReceiptHandle.builder()
                        .route("127.0.0.1:8081", "", "GID")
                        .message("main", liteTopic, "m-" + liteTopic)
                        .receipt("r", System.currentTimeMillis() + 60_000)
                        .delivery("broker-a", 1, 1)
                        .build());
    }

    @Test
    void aTimerAcksTheHandleThatIsInKeyedState() throws Exception {
        try (KeyedOneInputStreamOperatorTestHarness<String, AckableMessage<String>, String>
                harness = open(null)) {
            harness.processElement(message("a"), 1);
            harness.processElement(message("b"), 1);
            assertThat(server.ackedIds()).isEmpty();
            harness.setProcessingTime(AckByTimer.DELAY);

            assertThat(server.ackedIds()).containsExactlyInAnyOrder("m-a", "m-b");
            assertThat(harness.extractOutputValues()).containsExactlyInAnyOrder("a", "b");
        }
        assertThat(server.changes).as("nothing was claimed").isEmpty();
        assertThat(pool.size()).isZero();
    }

    @Test
    void aHandleInStateSurvivesARestartAndIsNotReleasedAtTheEnd() throws Exception {
        KeyedOneInputStreamOperatorTestHarness<String, AckableMessage<String>, String> before =
                open(null);
        before.processElement(message("a"), 1);
        OperatorSubtaskState state = before.snapshot(1, 1);
        before.close();
        assertThat(server.changes).isEmpty();

        try (KeyedOneInputStreamOperatorTestHarness<String, AckableMessage<String>, String> after =
                open(state)) {
            after.setProcessingTime(AckByTimer.DELAY);
            assertThat(server.ackedIds()).containsExactly("m-a");
        }
    }

    @Test
    void aFatalFailureIsRaisedByTheNextTimerThatAcksAndByTheCheckpoint() throws Exception {
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        KeyedOneInputStreamOperatorTestHarness<String, AckableMessage<String>, String> harness =
                open(null);
        harness.processElement(message("a"), 1);
        harness.processElement(message("b"), 1);

        assertThatThrownBy(() -> harness.setProcessingTime(AckByTimer.DELAY))
                .hasStackTraceContaining("code FORBIDDEN");
        assertThatThrownBy(() -> harness.snapshot(1, 2)).hasStackTraceContaining("FORBIDDEN");
        harness.close();
        assertThat(pool.size()).isZero();
    }

    @Test
    void withoutOpenThereIsOneClearError() {
        assertThatThrownBy(() -> new AckByTimer(pool).ack(message("a")))
                .hasMessageContaining("open() of the super class was called");
    }

    /** Keeps the handle in state and acks it a moment later. */
    private static final class AckByTimer
            extends RocketMQKeyedAckProcessFunction<String, String, String> {
        private static final long serialVersionUID = 1L;
        private static final long DELAY = 50;

        private final transient AckCorePool pool;
        private transient ValueState<RocketMQReceiptHandle> kept;

        AckByTimer(AckCorePool pool) {
            this.pool = pool;
        }

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            return RocketMQLiteAckClient.acquire(pool, config);
        }

        @Override
        public void open(OpenContext context) throws Exception {
            super.open(context);
            kept =
                    getRuntimeContext()
                            .getState(
                                    new ValueStateDescriptor<>(
                                            "kept", RocketMQReceiptHandleTypeInfo.INSTANCE));
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            kept.update(message.getReceiptHandle());
            context.timerService().registerProcessingTimeTimer(DELAY);
        }

        @Override
        public void onTimer(long timestamp, OnTimerContext context, Collector<String> out)
                throws Exception {
            CompletableFuture<AckOutcome> acked = ack(kept.value());
            assertThat(acked).isNotNull();
            kept.clear();
            out.collect(context.getCurrentKey());
        }
    }
}
