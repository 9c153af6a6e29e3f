/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

/** What one phase came to. Immutable. */
final class PhaseResult {

    private final Counts counts;
    private final LatencyFigures hot;
    private final LatencyFigures cold;
    private final long lostByOffset;

    /**
     * @param counts final counts, taken when the phase had drained or the wait for that ended
     * @param hot the hot tenant within the window
     * @param cold the cold tenants within the window
     * @param lostByOffset messages at the broker that no committed offset covers, plus messages
     *     sent that the broker does not have
     */
    PhaseResult(Counts counts, LatencyFigures hot, LatencyFigures cold, long lostByOffset) {
        this.counts = counts;
        this.hot = hot;
        this.cold = cold;
        this.lostByOffset = lostByOffset;
    }

    /** The final counts. */
    Counts counts() {
        return counts;
    }

    /** The hot tenant within the window. */
    LatencyFigures hot() {
        return hot;
    }

    /** The cold tenants within the window. */
    LatencyFigures cold() {
        return cold;
    }

    /** What the broker says was not settled. */
    long lostByOffset() {
        return lostByOffset;
    }
}
