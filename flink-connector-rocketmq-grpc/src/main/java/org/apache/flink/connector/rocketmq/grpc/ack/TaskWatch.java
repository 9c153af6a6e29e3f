/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.runtime.jobgraph.JobType;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.util.concurrent.NeverCompleteFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an acknowledging function needs of its task and a {@code ProcessFunction} has no public way
 * to: to look after its affairs without another element, every 200 ms on the task thread, so that a
 * failure fails the task by itself; to know whether the task ended in order; and the configuration
 * of the job. The only class that knows this internal side of Flink (2.3); under a context of
 * another kind all of it is left out. Owned by the task thread.
 */
final class TaskWatch {

    private static final Logger LOG = LoggerFactory.getLogger(TaskWatch.class);
    private static final long EVERY_MILLIS = 200;

    private final ProcessingTimeService service;
    private final ScheduledFuture<?> timer;

    private TaskWatch(ProcessingTimeService service, ScheduledFuture<?> timer) {
        this.service = service;
        this.timer = timer;
    }

    /** Begins to look; what the look throws fails the task. */
    static TaskWatch begin(RuntimeContext context, Runnable look) {
        if (!(context instanceof StreamingRuntimeContext)) {
            LOG.info(
                    "A failed ack is noticed at the next element or checkpoint only, under {}",
                    context.getClass().getName());
            return new TaskWatch(null, null);
        }
        ProcessingTimeService service =
                ((StreamingRuntimeContext) context).getProcessingTimeService();
        return new TaskWatch(
                service,
                service.scheduleWithFixedDelay(time -> look.run(), EVERY_MILLIS, EVERY_MILLIS));
    }

    /**
     * The configuration of the job, as far as the task knows it; a job that Flink by itself made a
     * batch job says so in its runtime mode.
     */
    static Optional<Configuration> jobConfiguration(RuntimeContext context) {
        if (!(context instanceof StreamingRuntimeContext)) {
            return Optional.empty();
        }
        StreamingRuntimeContext task = (StreamingRuntimeContext) context;
        Configuration job = new Configuration(task.getJobConfiguration());
        if (task.getJobType() == JobType.BATCH) {
            job.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
        }
        return Optional.of(job);
    }

    void end() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /**
     * True if the task came to the end of its input, or was stopped with a savepoint; false after a
     * failure or a cancellation. Before Flink closes the operators of a task that ends in order, it
     * quiesces their timers; a quiesced service takes a timer and gives one that never runs.
     */
    boolean hasTaskFinished() {
        if (service == null) {
            return false;
        }
        ScheduledFuture<?> probe;
        try {
            probe = service.registerTimer(Long.MAX_VALUE, time -> {});
        } catch (IllegalStateException e) {
            LOG.debug("The timers of the task are shut down, so it did not end in order", e);
            return false;
        }
        probe.cancel(false);
        return probe instanceof NeverCompleteFuture;
    }
}
