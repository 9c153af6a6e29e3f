/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** The table that a phase writes while it runs, one row per second. Not thread-safe. */
final class LiveTable {

    private static final String HEAD =
            "             per second                          |  hot, ms          |  cold, ms         |"
                    + " waiting";
    private static final String NAMES =
            "    s  received   worked    acked  deferred      |     p50       p99 |     p50       p99 |"
                    + " messages";

    private final PrintWriter out;

    LiveTable(PrintWriter out) {
        this.out = out;
    }

    /** Writes a line for people. */
    void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Writes the column names. */
    void head() {
        say(HEAD);
        say(NAMES);
    }

    /**
     * Writes one row.
     *
     * @param elapsed since the load began
     * @param before totals at the last row
     * @param now totals now
     * @param hot latencies since the last row, hot tenant
     * @param cold latencies since the last row, cold tenants
     */
    void row(Duration elapsed, Counts before, Counts now, LatencyFigures hot, LatencyFigures cold) {
        say(
                String.format(
                        Locale.ROOT,
                        "%5d %9d %8d %8d %9d      | %s | %s | %8d",
                        elapsed.toSeconds(),
                        now.received() - before.received(),
                        now.worked() - before.worked(),
                        now.acked() - before.acked(),
                        now.deferredDeliveries() - before.deferredDeliveries(),
                        latencies(hot),
                        latencies(cold),
                        now.notWorked()));
    }

    private static String latencies(LatencyFigures figures) {
        if (figures.count() == 0) {
            return String.format(Locale.ROOT, "%7s %9s", "-", "-");
        }
        return String.format(Locale.ROOT, "%7.0f %9.0f", figures.p50Ms(), figures.p99Ms());
    }
}
