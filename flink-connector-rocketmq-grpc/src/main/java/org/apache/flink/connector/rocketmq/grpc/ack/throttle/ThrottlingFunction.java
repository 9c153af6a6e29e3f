/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.util.List;
import java.util.Objects;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckOutcome;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.config.ThrottleConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.util.Collector;
import org.apache.flink.util.IOUtils;

/**
 * What gate and function share: policy, core, state and counters around the acknowledging function.
 * Only what happens to an admitted message differs.
 *
 * <p>All of it belongs to the task thread, except that a deferral's outcome is counted by the
 * client's I/O thread.
 *
 * @param <T> type of the value
 * @param <OUT> type of what comes out
 */
@Internal
abstract class ThrottlingFunction<T, OUT> extends RocketMQAckProcessFunction<T, OUT> {

    private static final int MAX_COUNTED_MESSAGES = 100_000;
    private static final int MAX_DEFERRED_LITE_TOPICS = 100_000;
    private static final int MAX_PARTIAL_MESSAGES = 10_000;
    private static final String STATE_NAME = "rocketmq-throttle-deferral-counts";
    private static final long serialVersionUID = 1L;

    private final MessageThrottlePolicy<T> policy;
    private final ThrottleConfig config;

    private transient ThrottleCounters counters;
    private transient DeferralCounts counts;
    private transient ListState<DeferralCount> state;
    private transient ThrottleCore<T> core;

    ThrottlingFunction(MessageThrottlePolicy<T> policy, Configuration configuration) {
        super(configuration);
        this.policy = Objects.requireNonNull(policy, "policy");
        this.config = ThrottleConfig.from(configuration);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        super.initializeState(context);
        RuntimeContext runtime = getRuntimeContext();
        counters = new ThrottleCounters();
        counts =
                new DeferralCounts(
                        MAX_COUNTED_MESSAGES,
                        counters.forgotten,
                        runtime.getTaskInfo().getIndexOfThisSubtask(),
                        runtime.getTaskInfo().getNumberOfParallelSubtasks());
        state =
                context.getOperatorStateStore()
                        .getUnionListState(
                                new ListStateDescriptor<>(
                                        STATE_NAME, DeferralCountSerializer.INSTANCE));
        if (context.isRestored()) {
            counts.restore(state.get(), processingTime());
        }
    }

    @Override
    public void open(OpenContext context) throws Exception {
        super.open(context);
        RuntimeContext runtime = getRuntimeContext();
        counters.register(runtime.getMetricGroup());
        core =
                new ThrottleCore<>(
                        policy,
                        config,
                        counts,
                        new DeferralMemory(MAX_DEFERRED_LITE_TOPICS, counters.forgotten),
                        new AdmittedParts(MAX_PARTIAL_MESSAGES, counters.forgotten),
                        counters);
        policy.open(runtime);
    }

    @Override
    public final void processElement(AckableMessage<T> message, Context context, Collector<OUT> out)
            throws Exception {
        long now = context.timerService().currentProcessingTime();
        ThrottleDecision decision = core.decide(message, now);
        if (decision.kind() == ThrottleDecision.Kind.ADMIT) {
            admit(message, out);
        } else if (decision.kind() == ThrottleDecision.Kind.DEFER) {
            defer(message, decision.duration()).thenAccept(this::countOutcome);
        }
    }

    /** The message goes on. */
    abstract void admit(AckableMessage<T> message, Collector<OUT> out) throws Exception;

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        super.snapshotState(context);
        List<DeferralCount> snapshot = counts.snapshot(processingTime());
        state.update(snapshot);
    }

    @Override
    public void close() throws Exception {
        IOUtils.closeAll(policy::close, super::close);
    }

    /** What it did since it started. */
    ThrottleCounters counters() {
        return counters;
    }

    private void countOutcome(AckOutcome outcome) {
        if (outcome == AckOutcome.SETTLED) {
            counters.deferralsDone.inc();
        } else if (outcome == AckOutcome.STALE) {
            counters.deferralsTooLate.inc();
        }
    }

    /**
     * The clock that the elements are judged by, which a function else sees with an element only.
     */
    private long processingTime() {
        return ((StreamingRuntimeContext) getRuntimeContext())
                .getProcessingTimeService()
                .getCurrentProcessingTime();
    }
}
