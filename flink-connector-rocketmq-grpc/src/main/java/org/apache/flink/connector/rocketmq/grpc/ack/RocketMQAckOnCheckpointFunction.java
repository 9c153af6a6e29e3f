/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Emits each value at once and acks its message when a checkpoint that covers it is complete: for
 * work whose results are safe with the checkpoint, as in state or in a transactional sink.
 *
 * <p>At least once: what was emitted and not covered comes back after a failure. The receipt
 * handles that wait are operator state; a job that is restored acks those of its checkpoint, which
 * covers them. A notice that is lost or late, or a checkpoint that is aborted, delays acks to the
 * next checkpoint. At the end of input the final checkpoint acks everything.
 *
 * <p>The server delivers the next messages of a lite topic when all of its last delivery is acked,
 * so a lite topic gets at most 32 messages (one delivery) per checkpoint. Needs checkpointing and
 * STREAMING mode, and says so when the job starts.
 *
 * <p>The invisible duration should be three checkpoint intervals. Leases that end before their
 * checkpoint are extended one by one, 250 a second and subtask at most, for an hour at most.
 * Neither acks nor extensions make the task wait. Beyond {@code rocketmq.ack.max-pending} a message
 * is emitted and not acked: it comes back.
 *
 * <p>Metrics of the operator, below the group {@code rocketmq}: those of {@link
 * RocketMQAckProcessFunction}, the gauge {@code acksPending}, counters {@code pendingLetGo} and
 * {@code leasesExtended}.
 *
 * @param <T> type of the value
 */
@PublicEvolving
public class RocketMQAckOnCheckpointFunction<T> extends ProcessFunction<AckableMessage<T>, T>
        implements CheckpointedFunction, CheckpointListener {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG =
            LoggerFactory.getLogger(RocketMQAckOnCheckpointFunction.class);
    private static final String STATE_NAME = "rocketmq-pending-receipt-handles";

    private final AckConfig config;
    private final Duration invisibleDuration;

    private transient PendingHandles pending;
    private transient ListState<PendingDelivery> state;
    private transient List<PendingHandle> restored;
    private transient Counter letGo;
    private transient AckingOperator acks;
    private transient AckPump pump;
    private transient StragglerRenewal renewal;
    private transient Duration interval;
    private transient boolean compared;
    private transient RocketMQReceiptHandle emitting;

    /** With the default options. */
    public RocketMQAckOnCheckpointFunction() {
        this(new Configuration());
    }

    /**
     * @param configuration options {@code rocketmq.client.*} and {@code rocketmq.ack.*}; if it has
     *     {@code rocketmq.source.invisible-duration}, too, that is compared with the checkpoint
     *     interval when the job starts, and otherwise the lease of the first message
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public RocketMQAckOnCheckpointFunction(Configuration configuration) {
        this.config = AckConfig.from(configuration);
        this.invisibleDuration =
                configuration
                        .getOptional(RocketMQGrpcSourceOptions.INVISIBLE_DURATION)
                        .orElse(null);
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        letGo = new ThreadSafeSimpleCounter();
        pending = new PendingHandles(config.maxPending(), letGo);
        state =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        STATE_NAME, PendingDeliverySerializer.INSTANCE));
        restored = new ArrayList<>();
        if (context.isRestored()) {
            restored.addAll(pending.restore(state.get(), System.currentTimeMillis()));
            LOG.info("{} restored receipt handles are acked", restored.size());
        }
    }

    @Override
    public void open(OpenContext openContext) throws Exception {
        super.open(openContext);
        interval = jobConfiguration().map(CheckpointSetup::interval).orElse(null);
        if (invisibleDuration != null) {
            compare(invisibleDuration);
        }
        acks = AckingOperator.open(config, acquireClient(config), getRuntimeContext(), this::look);
        pump = new AckPump(acks, config.maxInFlight());
        acks.atEnd(this::stopPump);
        Counter extended = new ThreadSafeSimpleCounter();
        renewal = new StragglerRenewal(acks::submitExtension, extended);
        MetricGroup metrics = getRuntimeContext().getMetricGroup().addGroup("rocketmq");
        metrics.gauge("acksPending", pending::size);
        metrics.counter("pendingLetGo", letGo);
        metrics.counter("leasesExtended", extended);
        pump.send(restored);
        restored = null;
    }

    /** The seams for tests. */
    RocketMQLiteAckClient acquireClient(AckConfig ackConfig) {
        return RocketMQLiteAckClient.acquire(ackConfig);
    }

    Optional<Configuration> jobConfiguration() {
        return TaskWatch.jobConfiguration(getRuntimeContext());
    }

    void warn(String text) {
        LOG.warn("{}", text);
    }

    PendingHandles pendingHandles() {
        return pending;
    }

    long letGo() {
        return letGo.getCount();
    }

    private void compare(Duration invisible) {
        compared = true;
        if (interval != null) {
            CheckpointSetup.warning(interval, invisible).ifPresent(this::warn);
        }
    }

    @Override
    public void processElement(AckableMessage<T> message, Context context, Collector<T> out)
            throws Exception {
        AckingOperator.opened(acks).check();
        long now = System.currentTimeMillis();
        RocketMQReceiptHandle handle = message.getReceiptHandle();
        renewal.observe(handle, now);
        if (!compared) {
            compare(wholeSeconds(renewal.lease()));
        }
        emitting = handle;
        out.collect(message.getValue());
        emitting = null;
        pending.add(handle, now);
    }

    /** The lease was a little longer when the message was received. */
    private static Duration wholeSeconds(Duration lease) {
        return Duration.ofSeconds(lease.plusMillis(999).getSeconds());
    }

    private void look() {
        renewal.renewDue(pending.waiting(), System.currentTimeMillis());
        pump.pump();
    }

    private void stopPump() {
        int left = pump.close();
        if (left > 0) {
            LOG.info("{} acks of a completed checkpoint did not leave before the end", left);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        if (acks != null) {
            acks.check();
        }
        state.update(pending.snapshot(context.getCheckpointId()));
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        if (acks != null) {
            acks.check();
            pump.send(pending.complete(checkpointId));
        }
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) {
        if (acks != null) {
            pending.aborted(checkpointId);
        }
    }

    /** Ends; what no checkpoint covers becomes visible at once, what failed on its way out, too. */
    @Override
    public void close() throws Exception {
        AckingOperator open = acks;
        acks = null;
        if (open != null) {
            if (emitting != null) {
                pending.add(emitting, System.currentTimeMillis());
            }
            Collection<RocketMQReceiptHandle> uncovered = pending.uncovered();
            uncovered.forEach(open::answerFor);
            open.close();
        }
        super.close();
    }
}
