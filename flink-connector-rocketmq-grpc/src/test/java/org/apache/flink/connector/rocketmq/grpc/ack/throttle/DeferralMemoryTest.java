/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.LEASE_MILLIS;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.handle;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

/** Which messages come back by a deferral made before. */
class DeferralMemoryTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Counter evicted = new SimpleCounter();
    private final DeferralMemory memory = new DeferralMemory(3, evicted);

    @Test
    void theRefusedMessageAndWhatFollowsAreCoveredWhatPrecedesIsNot() {
        assertThat(memory.remember(handle("a", 7, 5, 5), SECOND, START)).isTrue();

        assertThat(memory.covers(handle("a", 7, 4, 4), START)).isFalse();
        assertThat(memory.covers(handle("a", 7, 5, 5), START)).isTrue();
        assertThat(memory.covers(handle("a", 7, 31, 31), START)).isTrue();
        assertThat(memory.covers(handle("b", 7, 31, 31), START)).isFalse();
    }

    @Test
    void aNewDeliveryEndsTheMemoryOfTheOlderOne() {
        memory.remember(handle("a", 7, 5, 5), SECOND, START);

        assertThat(memory.covers(handle("a", 8, 0, 5), START + 1000)).isFalse();
        assertThat(memory.covers(handle("a", 8, 31, 36), START + 1000)).isFalse();
        assertThat(memory.remember(handle("a", 8, 9, 14), SECOND, START + 1000)).isTrue();
        assertThat(memory.covers(handle("a", 8, 8, 13), START + 1000)).isFalse();
        assertThat(memory.covers(handle("a", 8, 9, 14), START + 1000)).isTrue();
        assertThat(memory.size()).isOne();
    }

    @Test
    void aStragglerOfTheOlderDeliveryIsStillLetGoAfterTheNewOneShowedUp() {
        memory.remember(handle("a", 7, 5, 5), SECOND, START);
        memory.covers(handle("a", 8, 0, 5), START + 1000);

        assertThat(memory.covers(handle("a", 7, 20, 20), START + 1001)).isTrue();
        assertThat(memory.covers(handle("a", 7, 2, 2), START + 1001)).isTrue();
    }

    @Test
    void anEntryEndsWithTheLease() {
        memory.remember(handle("a", 7, 0, 0), Duration.ofMillis(1), START - LEASE_MILLIS);

        assertThat(memory.covers(handle("a", 7, 1, 1), START + LEASE_MILLIS - 1)).isTrue();
        assertThat(memory.covers(handle("a", 7, 1, 1), START + LEASE_MILLIS)).isFalse();
        assertThat(memory.size()).isZero();
    }

    @Test
    void anEntryOutlivesADeferralLongerThanTheLease() {
        memory.remember(handle("a", 7, 0, 0), Duration.ofMinutes(5), START);

        assertThat(memory.covers(handle("a", 7, 1, 1), START + 5 * 60_000)).isTrue();
        assertThat(memory.covers(handle("a", 7, 1, 1), START + 6 * 60_000)).isFalse();
    }

    @Test
    void aClockFarAheadOfTheSourcesStillCoversTheRest() {
        long ahead = START + Duration.ofDays(1).toMillis();
        memory.remember(handle("a", 7, 0, 0), SECOND, ahead);

        assertThat(memory.covers(handle("a", 7, 1, 1), ahead + 1)).isTrue();
    }

    @Test
    void beyondTheBoundTheOldestIsForgottenAndCounted() {
        for (String liteTopic : new String[] {"a", "b", "c", "d"}) {
            memory.remember(handle(liteTopic, 7, 0, 0), SECOND, START);
        }

        assertThat(memory.size()).isEqualTo(3);
        assertThat(evicted.getCount()).isOne();
        assertThat(memory.covers(handle("a", 7, 1, 1), START)).isFalse();
        assertThat(memory.covers(handle("d", 7, 1, 1), START)).isTrue();
    }

    @Test
    void endedEntriesMakeRoomWithoutBeingCounted() {
        for (String liteTopic : new String[] {"a", "b", "c"}) {
            memory.remember(handle(liteTopic, 7, 0, 0), SECOND, START);
        }

        memory.remember(handle("d", 9, 0, 0), SECOND, START + Duration.ofMinutes(5).toMillis());

        assertThat(memory.size()).isOne();
        assertThat(evicted.getCount()).isZero();
    }
}
