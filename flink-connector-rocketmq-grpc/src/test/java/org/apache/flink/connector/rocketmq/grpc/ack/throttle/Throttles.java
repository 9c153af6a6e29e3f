/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.message;

import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;

/** Throttles inside a Flink operator without a cluster. */
final class Throttles {

    private static final int MAX_PARALLELISM = 16;

    private Throttles() {}

    /** A running operator. */
    static <OUT> OneInputStreamOperatorTestHarness<AckableMessage<Integer>, OUT> start(
            ProcessFunction<AckableMessage<Integer>, OUT> function) throws Exception {
        return restore(function, 0, 1, null);
    }

    /** A running subtask that began from state; null for none. */
    static <OUT> OneInputStreamOperatorTestHarness<AckableMessage<Integer>, OUT> restore(
            ProcessFunction<AckableMessage<Integer>, OUT> function,
            int subtask,
            int parallelism,
            OperatorSubtaskState state)
            throws Exception {
        OneInputStreamOperatorTestHarness<AckableMessage<Integer>, OUT> harness =
                new OneInputStreamOperatorTestHarness<>(
                        new ProcessOperator<>(function), MAX_PARALLELISM, parallelism, subtask);
        harness.setProcessingTime(Deliveries.START);
        harness.setup();
        if (state != null) {
            harness.initializeState(state);
        }
        harness.open();
        return harness;
    }

    /** What subtask {@code to} of {@code newParallelism} gets of the state of all old subtasks. */
    static OperatorSubtaskState share(
            int oldParallelism, int newParallelism, int to, OperatorSubtaskState... states)
            throws Exception {
        OperatorSubtaskState all = AbstractStreamOperatorTestHarness.repackageState(states);
        return AbstractStreamOperatorTestHarness.repartitionOperatorState(
                all, MAX_PARALLELISM, oldParallelism, newParallelism, to);
    }

    /** Delivers messages {@code from} to {@code to} of a lite topic as one delivery. */
    static void deliver(
            OneInputStreamOperatorTestHarness<AckableMessage<Integer>, ?> harness,
            String liteTopic,
            long deliveryId,
            int from,
            int to)
            throws Exception {
        for (int offset = from; offset <= to; offset++) {
            harness.processElement(
                    message(liteTopic, deliveryId, offset - from, offset), Deliveries.START);
        }
    }
}
