/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.Collector;
import org.apache.flink.util.IOUtils;
import org.apache.flink.util.OutputTag;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    static final int MAX_COUNTED_MESSAGES = 100_000;
    static final int MAX_DEFERRED_LITE_TOPICS = 100_000;
    static final int MAX_PARTIAL_MESSAGES = 10_000;

    /** How close to the end of the lease a deferral is taken that waited in vain for acks. */
    private static final long LEASE_END_MILLIS = 2_000;

    private static final long AT_LEASE_END_TO_WARN = 3;
    private static final Logger LOG = LoggerFactory.getLogger(ThrottlingFunction.class);
    private static final String STATE_NAME = "rocketmq-throttle-deferral-counts";
    private static final long serialVersionUID = 1L;

    private final MessageThrottlePolicy<T> policy;
    private final ThrottleConfig config;
    private OutputTag<AckableMessage<T>> parkTag;

    private transient ThrottleCounters counters;
    private transient DeferralCounts counts;
    private transient ListState<DeferralCount> state;
    private transient ThrottleCore<T> core;
    private transient ProcessingTimeService clock;
    private transient AtomicBoolean warned;

    ThrottlingFunction(MessageThrottlePolicy<T> policy, Configuration configuration) {
        super(configuration);
        this.policy = Objects.requireNonNull(policy, "policy");
        this.config = ThrottleConfig.from(configuration);
    }

    /** Sets where forced messages go. */
    final void park(OutputTag<AckableMessage<T>> tag) {
        parkTag = Objects.requireNonNull(tag, "tag");
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        super.initializeState(context);
        RuntimeContext runtime = getRuntimeContext();
        clock = ((StreamingRuntimeContext) runtime).getProcessingTimeService();
        warned = new AtomicBoolean();
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
        switch (decision.kind()) {
            case ADMIT:
                admit(message, out);
                break;
            case FORCE:
                force(message, context, out);
                break;
            case DEFER:
                RocketMQReceiptHandle handle = message.getReceiptHandle();
                defer(handle, decision.duration())
                        .thenAccept(outcome -> countOutcome(handle, outcome));
                break;
            default:
                break;
        }
    }

    private void force(AckableMessage<T> message, Context context, Collector<OUT> out)
            throws Exception {
        if (parkTag == null) {
            admit(message, out);
            return;
        }
        context.output(parkTag, message);
        counters.parked.inc();
        parked(message);
    }

    /** The message goes on. */
    abstract void admit(AckableMessage<T> message, Collector<OUT> out) throws Exception;

    /** The message went to the side output. */
    abstract void parked(AckableMessage<T> message);

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

    private void countOutcome(RocketMQReceiptHandle handle, AckOutcome outcome) {
        if (outcome == AckOutcome.SETTLED) {
            counters.deferralsDone.inc();
            if (processingTime() >= handle.getLeaseEndMillis() - LEASE_END_MILLIS) {
                takenAtLeaseEnd(handle);
            }
        } else if (outcome == AckOutcome.STALE) {
            counters.deferralsTooLate.inc();
        }
    }

    private void takenAtLeaseEnd(RocketMQReceiptHandle handle) {
        counters.deferralsAtLeaseEnd.inc();
        if (counters.deferralsAtLeaseEnd.getCount() >= AT_LEASE_END_TO_WARN
                && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "Deferrals wait until the lease ends, the last one of {}/{}: the acks before"
                            + " them are not seen here, or the work on a delivery takes that long."
                            + " Give throttle and acking operator the same options and slot"
                            + " sharing group, or throttle whole deliveries.",
                    handle.getTopic(),
                    handle.getLiteTopic());
        }
    }

    /**
     * The clock that the elements are judged by, which a function else sees with an element only.
     * Any thread may read it.
     */
    private long processingTime() {
        return clock.getCurrentProcessingTime();
    }
}
