/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.rocketmq.grpc.ack.AckFixture.Arrival;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A shared ack client that has nothing to do for longer than the proxy keeps a client without
 * heartbeats (120 s). {@code IdleSessionITCase} of the client proves the same of its session in
 * every build.
 */
@Timeout(300)
class AckIdleSoakCase {

    private static final Duration IDLE = Duration.ofSeconds(150);
    private static final Duration ARRIVAL = Duration.ofSeconds(30);

    @Test
    void theFirstDeferralAfterALongIdleTimeSucceeds() throws Exception {
        Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
        try (AckFixture fixture = new AckFixture(Duration.ofSeconds(60))) {
            fixture.receive(arrivals::add);
            fixture.server.send("idle", "first");
            await().atMost(ARRIVAL).until(() -> !arrivals.isEmpty());
            assertThat(fixture.client.ack(arrivals.poll().handle).get(10, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.SETTLED);

            await().pollDelay(IDLE).atMost(IDLE.plus(ARRIVAL)).until(() -> true);
            fixture.server.send("idle", "late");
            await().atMost(ARRIVAL).until(() -> !arrivals.isEmpty());

            assertThat(
                            fixture.client
                                    .defer(arrivals.poll().handle, Duration.ofSeconds(1))
                                    .get(10, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.SETTLED);
            assertThat(fixture.client.stats().retried).hasValue(0);
            await().atMost(ARRIVAL).until(() -> !arrivals.isEmpty());
            assertThat(fixture.client.ack(arrivals.poll().handle).get(10, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.SETTLED);
            assertThat(fixture.errors()).isEmpty();
        }
    }
}
