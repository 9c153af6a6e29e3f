/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

/** How much a session remembers at most. Immutable. */
final class SequencerLimits {

    /** What a session uses: some 50 MB if all of it were used. */
    static final SequencerLimits DEFAULT = new SequencerLimits(65_536, 16_384);

    private final int maxDeliveries;
    private final int maxHeld;

    SequencerLimits(int maxDeliveries, int maxHeld) {
        this.maxDeliveries = maxDeliveries;
        this.maxHeld = maxHeld;
    }

    /** Deliveries known at a time; beyond that the oldest is forgotten. */
    int maxDeliveries() {
        return maxDeliveries;
    }

    /** Acks that wait for their place; beyond that they leave as they come. */
    int maxHeld() {
        return maxHeld;
    }

    /** Calls that are repeated without a place in flight; beyond that they keep their places. */
    int maxRepeating() {
        return maxHeld;
    }
}
