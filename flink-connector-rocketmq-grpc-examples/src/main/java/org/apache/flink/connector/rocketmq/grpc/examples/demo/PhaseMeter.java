/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.JobID;

/**
 * Reads probe, load and job counters of one phase: rows of the live table, and the figures of the
 * measured window. Used by the demo's main thread only.
 */
final class PhaseMeter {

    private static final String DEFERRED_DELIVERIES = "deferredDeliveries";
    private static final String DEFER_RPCS = "deferralRpcs";

    private final DemoProbe probe;
    private final LoadGenerator load;
    private final LongSupplier deferredDeliveries;
    private final LongSupplier deferRpcs;
    private final LatencyTrack hot;
    private final LatencyTrack cold;
    private Counts last = Counts.NONE;
    private long windowOpenedNanos;
    private double windowSeconds;

    /** A meter of a running job. */
    static PhaseMeter of(DemoProbe probe, LoadGenerator load, JobID job) {
        return new PhaseMeter(
                probe,
                load,
                () -> JobMetrics.sum(job, DEFERRED_DELIVERIES),
                () -> JobMetrics.sum(job, DEFER_RPCS));
    }

    PhaseMeter(
            DemoProbe probe,
            LoadGenerator load,
            LongSupplier deferredDeliveries,
            LongSupplier deferRpcs) {
        this.probe = probe;
        this.load = load;
        this.deferredDeliveries = deferredDeliveries;
        this.deferRpcs = deferRpcs;
        this.hot = new LatencyTrack(probe.hotMicros());
        this.cold = new LatencyTrack(probe.coldMicros());
    }

    /** The totals now. */
    Counts counts() {
        return new Counts.Builder()
                .load(load.sent().size(), load.sent().missingIn(probe.workedSet()))
                .work(probe.receivedCount(), probe.workedSet().size(), probe.duplicateCount())
                .repeatedSends(load.repeatedCount())
                .acks(probe.ackedCount(), probe.unsettledCount())
                .deferred(deferredDeliveries.getAsLong(), deferRpcs.getAsLong())
                .build();
    }

    /**
     * Writes what happened since the last call as one row.
     *
     * @param elapsed since the load began
     */
    void tick(LiveTable table, Duration elapsed) {
        Counts now = counts();
        table.row(elapsed, last, now, hot.endInterval(), cold.endInterval());
        last = now;
    }

    /** Figures count from here. */
    void openWindow() {
        hot.openWindow();
        cold.openWindow();
        windowOpenedNanos = System.nanoTime();
    }

    /** Figures count up to here. */
    void closeWindow() {
        windowSeconds =
                (System.nanoTime() - windowOpenedNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        hot.closeWindow();
        cold.closeWindow();
    }

    /**
     * The result of the phase.
     *
     * @param lostByOffset what the broker says was not settled
     */
    PhaseResult result(long lostByOffset) {
        return new PhaseResult(
                counts(),
                hot.windowFigures(windowSeconds),
                cold.windowFigures(windowSeconds),
                lostByOffset);
    }
}
