/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Latency and rate of one kind of tenant over some time. Immutable. */
final class LatencyFigures {

    private static final double MICROS_PER_MILLI = 1000.0;

    private final long count;
    private final double p50Ms;
    private final double p99Ms;
    private final double perSecond;

    LatencyFigures(long count, double p50Ms, double p99Ms, double perSecond) {
        this.count = count;
        this.p50Ms = p50Ms;
        this.p99Ms = p99Ms;
        this.perSecond = perSecond;
    }

    /** Reads a histogram of microseconds that covers that many seconds. */
    static LatencyFigures of(Histogram micros, double seconds) {
        return new LatencyFigures(
                micros.getTotalCount(),
                micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
                micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
                micros.getTotalCount() / seconds);
    }

    /** Messages. */
    long count() {
        return count;
    }

    /** Median; 0 without messages. */
    double p50Ms() {
        return p50Ms;
    }

    /** 99th percentile; 0 without messages. */
    double p99Ms() {
        return p99Ms;
    }

    /** Messages per second. */
    double perSecond() {
        return perSecond;
    }

    /** The fields of the JSON object. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("p50Ms", p50Ms);
        json.put("p99Ms", p99Ms);
        json.put("perSecond", perSecond);
        return json;
    }
}
