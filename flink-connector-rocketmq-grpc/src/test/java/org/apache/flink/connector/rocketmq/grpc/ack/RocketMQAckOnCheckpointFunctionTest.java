/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is acked when, by the notices of checkpoints. */
@Timeout(60)
class RocketMQAckOnCheckpointFunctionTest {

    private final CheckpointScenario job = new CheckpointScenario();

    @Test
    void emitsAtOnceAndAcksWhenTheCoveringCheckpointIsComplete() throws Exception {
        job.open();
        job.receive("t", 0);
        job.snapshot(1);
        job.receive("t", 1);

        assertThat(job.harness.extractOutputValues()).containsExactly("t0", "t1");
        assertThat(job.acked()).isEmpty();
        job.complete(1);
        assertThat(job.acked()).containsExactly("t0");
        job.snapshot(2);
        job.complete(2);
        assertThat(job.acked()).containsExactly("t0", "t1");
        job.close();
    }

    // case 64, the downstream half
    @Test
    void missingLateConcurrentAbortedAndUnknownNoticesAckWhatTheyCoverAndNothingElse()
            throws Exception {
        job.open();
        job.receive("t", 0);
        job.snapshot(1);
        job.receive("t", 1);
        job.snapshot(2);
        job.complete(2);
        assertThat(job.acked()).as("the notice of 1 was lost").containsExactly("t0", "t1");
        job.complete(1);
        assertThat(job.acked()).as("the notice of 1 was late").hasSize(2);

        job.receive("t", 2);
        job.snapshot(3);
        job.receive("t", 3);
        job.abort(3);
        job.snapshot(4);
        job.complete(4);
        assertThat(job.acked()).as("3 was aborted").containsExactly("t0", "t1", "t2", "t3");

        job.receive("t", 4);
        job.snapshot(5);
        job.receive("t", 5);
        job.snapshot(6);
        job.receive("t", 6);
        job.abort(5);
        job.complete(99);
        assertThat(job.acked()).as("nobody took 99").hasSize(4);
        job.complete(6);
        assertThat(job.acked()).as("5 was aborted when 6 was taken").hasSize(6);
        assertThat(job.function.pendingHandles().checkpoints()).isZero();

        job.close();
        job.function.notifyCheckpointComplete(7);
        job.function.notifyCheckpointAborted(7);
        assertThat(job.acked()).as("after the end").hasSize(6);
    }

    @Test
    void aSnapshotAfterTheEndIsHarmless() throws Exception {
        job.open();
        job.receive("t", 0);
        job.function.close();

        assertThat(job.snapshot(1)).isNotNull();
        job.close();
    }

    @Test
    void messagesBetweenAThousandCheckpointsAreAckedOnceAndNothingIsKept() throws Exception {
        job.open();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            job.receive("t" + i, 0);
            expected.add("t" + i + "0");
            job.snapshot(i);
            if (i % 3 == 1) {
                job.abort(i);
            } else if (i % 3 == 2) {
                job.complete(i);
            }
        }
        job.snapshot(1_000);
        job.complete(1_000);

        assertThat(job.acked()).containsExactlyInAnyOrderElementsOf(expected);
        job.snapshot(1_001);
        assertThat(job.function.pendingHandles().size()).isZero();
        job.close();
    }

    @Test
    void restoredHandlesAreAckedAtOnce() throws Exception {
        job.open();
        job.receive("a", 0, 1);
        job.receive("b", 0);
        OperatorSubtaskState state = job.snapshot(1);
        job.receive("b", 1);

        job.open(state);

        assertThat(job.acked()).containsExactly("a0", "a1", "b0");
        job.close();
    }

    @Test
    void anAckWithoutAnswerStandsInTheNextCheckpoint() throws Exception {
        job.open();
        job.receive("t", 0);
        job.snapshot(1);
        job.server.answerByHand();
        job.complete(1);
        OperatorSubtaskState state = job.snapshot(2);
        assertThat(job.acked()).containsExactly("t0");
        job.server.answerLastAck();
        OperatorSubtaskState settled = job.snapshot(3);
        job.server.answerAtOnce();
        job.close();

        job.open(state);
        assertThat(job.acked()).as("acked again").containsExactly("t0", "t0");
        job.close();
        job.open(settled);
        assertThat(job.acked()).as("settled, so forgotten").hasSize(2);
        job.close();
    }

    @Test
    void atAnotherParallelismEachDeliveryGoesToOneSubtask() throws Exception {
        job.open();
        for (int i = 0; i < 10; i++) {
            job.receive("t" + i, 0, 4);
        }
        OperatorSubtaskState state = job.snapshot(1);

        List<List<String>> ackedBySubtask = new ArrayList<>();
        for (int subtask = 0; subtask < 3; subtask++) {
            int before = job.acked().size();
            job.open(
                    AbstractStreamOperatorTestHarness.repartitionOperatorState(
                            state, 10, 1, 3, subtask));
            List<String> all = job.acked();
            ackedBySubtask.add(new ArrayList<>(all.subList(before, all.size())));
            job.close();
        }

        assertThat(job.acked()).hasSize(50).doesNotHaveDuplicates();
        for (List<String> acked : ackedBySubtask) {
            assertThat(acked).isNotEmpty();
            assertThat(acked.stream().collect(Collectors.groupingBy(id -> id.substring(0, 2))))
                    .allSatisfy(
                            (liteTopic, ids) ->
                                    assertThat(ids)
                                            .containsExactly(
                                                    liteTopic + 0,
                                                    liteTopic + 1,
                                                    liteTopic + 2,
                                                    liteTopic + 3,
                                                    liteTopic + 4));
        }
    }

    @Test
    void beyondItsBoundAHandleIsLetGoWithTheRestOfItsDelivery() throws Exception {
        job.options.set(RocketMQGrpcAckOptions.MAX_PENDING, 3);
        job.open();
        job.receive("a", 0, 3);
        job.snapshot(1);
        job.complete(1);
        assertThat(job.acked()).containsExactly("a0", "a1", "a2");

        job.receive("a", 4);
        job.receive("b", 0);
        job.snapshot(2);
        job.complete(2);

        assertThat(job.harness.extractOutputValues()).hasSize(6);
        assertThat(job.acked()).as("a4 is behind a3").containsExactly("a0", "a1", "a2", "b0");
        assertThat(job.function.letGo()).isEqualTo(2);
        job.close();
    }

    @Test
    void onlyStragglersAreExtendedAndTheirNewHandleIsAcked() throws Exception {
        job.withLease(Duration.ofSeconds(60)).open();
        job.receive("early", 0);
        job.withLease(Duration.ofSeconds(12));
        job.receive("late", 0);
        job.look();

        assertThat(job.server.changes).hasSize(1);
        assertThat(job.server.changes.get(0).entry.messageId()).isEqualTo("late0");
        assertThat(job.server.changes.get(0).suspend).as("of this message alone").isFalse();
        assertThat(job.server.changes.get(0).duration)
                .isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60));
        job.look();
        assertThat(job.server.changes).as("it has time again").hasSize(1);
        job.snapshot(1);
        job.complete(1);
        assertThat(job.server.acks.stream().flatMap(request -> request.entries.stream()))
                .extracting(entry -> entry.receiptHandle())
                .containsExactly("r-early0", "renewed-1");
        job.close();
    }

    @Test
    void extensionsHaveARate() throws Exception {
        job.withLease(Duration.ofSeconds(60)).open();
        job.receive("first", 0);
        job.withLease(Duration.ofSeconds(12));
        for (int i = 0; i < 3 * StragglerRenewal.PER_LOOK; i++) {
            job.receive("t" + i, 0);
        }
        job.look();
        assertThat(job.server.changes).hasSize(StragglerRenewal.PER_LOOK);
        job.look();
        assertThat(job.server.changes).hasSize(2 * StragglerRenewal.PER_LOOK);
        job.close();
    }

    @Test
    void anExtensionThatFailsKeepsTheHandleAndIsNotRepeated() throws Exception {
        job.server.changeScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        job.withLease(Duration.ofSeconds(60)).open();
        job.receive("first", 0);
        job.withLease(Duration.ofSeconds(12));
        job.receive("late", 0);
        job.look();
        job.look();
        assertThat(job.server.changes).hasSize(1);
        job.snapshot(1);
        job.complete(1);

        assertThat(job.server.acks.stream().flatMap(request -> request.entries.stream()))
                .extracting(entry -> entry.receiptHandle())
                .containsExactly("r-first0", "r-late0");
        job.close();
    }

    @Test
    void aStaleAckFailsNothingAndAFatalOneFailsTheTask() throws Exception {
        job.server.ackScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        job.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        job.open();
        job.receive("t", 0);
        job.snapshot(1);
        job.complete(1);
        job.receive("u", 0);
        job.snapshot(2);
        job.complete(2);

        assertThatThrownBy(job::look).hasStackTraceContaining("message u0, code FORBIDDEN");
        assertThatThrownBy(() -> job.receive("v", 0)).isInstanceOf(AckFailedException.class);
        job.close();
    }

    @Test
    void theTaskWaitsForNothingWhenManyAcksAreDue() throws Exception {
        job.options.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 4);
        job.server.answerByHand();
        job.open();
        for (int i = 0; i < 100; i++) {
            job.receive("t" + i, 0);
        }
        job.snapshot(1);
        job.complete(1);
        assertThat(job.acked()).hasSizeLessThanOrEqualTo(4);

        job.server.answerAtOnce();
        job.server.answerLastAck();
        Awaitility.await().untilAsserted(() -> assertThat(job.acked()).hasSize(100));
        job.close();
    }

    @Test
    void whatNoCheckpointCoversBecomesVisibleAtTheEnd() throws Exception {
        job.open();
        job.receive("covered", 0);
        job.receive("both", 0);
        job.snapshot(1);
        job.receive("both", 1);
        job.receive("uncovered", 3, 5);
        job.close();

        assertThat(job.server.changes).hasSize(1);
        assertThat(job.server.changes.get(0).entry.messageId()).isEqualTo("uncovered3");
        assertThat(job.server.changes.get(0).duration).isZero();
        assertThat(job.server.changes.get(0).suspend).isTrue();
        assertThat(job.acked()).isEmpty();
        assertThat(job.pool.size()).isZero();
    }

    // case 11
    @Test
    void anIntervalBeyondTheLeaseIsWarnedOfOnceWithBothNumbers() throws Exception {
        job.job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(90));
        job.withLease(Duration.ofSeconds(60)).open();
        job.receive("t", 0, 1);

        assertThat(job.warnings).hasSize(1);
        assertThat(job.warnings.get(0))
                .startsWith(
                        "execution.checkpointing.interval is 90 s, and the invisible duration"
                                + " 60 s");
        job.close();
    }

    @Test
    void aDeclaredInvisibleDurationIsComparedBeforeAnyMessage() throws Exception {
        job.job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(30));
        job.options.set(RocketMQGrpcSourceOptions.INVISIBLE_DURATION, Duration.ofSeconds(20));
        job.open();
        assertThat(job.warnings).hasSize(1);
        assertThat(job.warnings.get(0)).contains("30 s").contains("20 s");
        job.close();
    }

    @Test
    void aJobWithoutCheckpointsIsRefusedWithTheWaysOut() {
        job.job.removeConfig(CheckpointingOptions.CHECKPOINTING_INTERVAL);

        assertThatThrownBy(job::open)
                .hasMessageContaining("execution.checkpointing.interval is not set")
                .hasMessageContaining("RocketMQAckProcessFunction, which acks without checkpoints");
        assertThat(job.pool.size()).isZero();
    }

    @Test
    void aBatchJobIsRefusedWithTheWaysOut() {
        job.job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);

        assertThatThrownBy(job::open)
                .hasMessageContaining("execution.runtime-mode is BATCH")
                .hasMessageContaining("STREAMING mode");
    }
}
