/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;

import java.time.Duration;
import java.util.Random;

/**
 * One lite topic with an endless backlog as the server (5.5.0, measured) delivers it: up to 32
 * messages at a time, the next delivery only after the last was acked or became visible again, a
 * deferral sent after the acks below it and 40–110 ms late. Time runs in the model only.
 */
final class HotLiteTopicModel {

    private static final int DELIVERY = 32;

    private final ThrottleCore<Integer> core;
    private final double workMillis;
    private final Random random = new Random(42);

    private double now = START;
    private int committed;
    private long deliveries;
    private long deferrals;

    /**
     * @param workMillis how long one admitted message takes
     */
    HotLiteTopicModel(ThrottleCore<Integer> core, double workMillis) {
        this.core = core;
        this.workMillis = workMillis;
    }

    /** Runs until the model's clock is there; messages admitted so far. */
    int runUntil(long millis) throws Exception {
        while (now < millis) {
            deliver();
        }
        return committed;
    }

    long deliveries() {
        return deliveries;
    }

    long deferrals() {
        return deferrals;
    }

    private void deliver() throws Exception {
        deliveries++;
        int first = committed;
        double refusedAt = -1;
        Duration deferral = Duration.ZERO;
        for (int i = 0; i < DELIVERY; i++) {
            ThrottleDecision decision =
                    core.decide(Deliveries.message("hot", deliveries, i, first + i), (long) now);
            if (decision.kind() == ThrottleDecision.Kind.ADMIT) {
                now += workMillis;
                committed++;
            } else if (decision.kind() == ThrottleDecision.Kind.DEFER) {
                refusedAt = now;
                deferral = decision.duration();
                deferrals++;
            }
        }
        if (committed > first) {
            now += between(5, 30);
        }
        if (refusedAt >= 0) {
            double left = Math.max(0, deferral.toMillis() - (now - refusedAt));
            now += between(2, 15) + left + between(40, 110);
        }
        now += between(2, 20);
    }

    private double between(int from, int to) {
        return from + random.nextDouble() * (to - from);
    }
}
