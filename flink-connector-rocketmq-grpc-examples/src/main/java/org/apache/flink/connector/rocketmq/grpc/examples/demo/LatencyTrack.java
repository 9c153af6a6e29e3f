/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Latencies of one kind of tenant: the last interval for the live table, and the sum over the
 * measured window. Called by the demo's main thread only; the recorder may be written to meanwhile.
 */
final class LatencyTrack {

    private final Recorder micros;
    private final Histogram window;
    private Histogram interval;
    private boolean measuring;

    LatencyTrack(Recorder micros) {
        this.micros = micros;
        this.interval = micros.getIntervalHistogram();
        this.window = new Histogram(interval.getNumberOfSignificantValueDigits());
    }

    /** Ends the current interval; it joins the window if that is open. */
    LatencyFigures endInterval() {
        interval = micros.getIntervalHistogram(interval);
        if (measuring) {
            window.add(interval);
        }
        return LatencyFigures.of(interval, 1.0);
    }

    /** Opens the window; what came before belongs to no figure. */
    void openWindow() {
        endInterval();
        measuring = true;
    }

    /** Closes the window. */
    void closeWindow() {
        endInterval();
        measuring = false;
    }

    /**
     * The figures of the window.
     *
     * @param seconds how long it was open
     */
    LatencyFigures windowFigures(double seconds) {
        return LatencyFigures.of(window, seconds);
    }
}
