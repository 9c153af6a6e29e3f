/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a task fail by itself, without another element: a check every 200 ms on the task thread,
 * through the processing-time service of the operator, which a {@code ProcessFunction} has no
 * public way to. The only class that knows this internal side of Flink; under a context of another
 * kind the check is left to elements, checkpoints and close. Owned by the task thread.
 */
final class FailureWatch {

    private static final Logger LOG = LoggerFactory.getLogger(FailureWatch.class);
    private static final long EVERY_MILLIS = 200;

    private final ScheduledFuture<?> timer;

    private FailureWatch(ScheduledFuture<?> timer) {
        this.timer = timer;
    }

    /** Begins to look; a failure that is found fails the task. */
    static FailureWatch begin(RuntimeContext context, FailureSlot failures) {
        if (!(context instanceof StreamingRuntimeContext)) {
            LOG.info(
                    "A failed ack is noticed at the next element or checkpoint only, under {}",
                    context.getClass().getName());
            return new FailureWatch(null);
        }
        return new FailureWatch(
                ((StreamingRuntimeContext) context)
                        .getProcessingTimeService()
                        .scheduleWithFixedDelay(
                                time -> failures.raise(), EVERY_MILLIS, EVERY_MILLIS));
    }

    void end() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
