/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.handle;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

/** The own count of deferrals: per message and group, bounded, carried over. */
class DeferralCountsTest {

    private static final Duration TEN = Duration.ofSeconds(10);

    private final Counter evicted = new SimpleCounter();
    private final DeferralCounts counts = new DeferralCounts(3, evicted, 0, 1);

    @Test
    void countsByMessageAndGroupNotByDelivery() {
        counts.increment(handle("a", 1, 0, 0), TEN, START);
        counts.increment(handle("a", 2, 3, 0), TEN, START);
        RocketMQReceiptHandle elsewhere =
                handle("a", 3, 0, 0).toBuilder().route("127.0.0.1:8081", "", "other").build();
        counts.increment(elsewhere, TEN, START);

        assertThat(counts.of(handle("a", 9, 9, 0), START)).isEqualTo(2);
        assertThat(counts.of(elsewhere, START)).isOne();
        assertThat(counts.of(handle("a", 9, 9, 1), START)).isZero();
    }

    @Test
    void forgettingStartsAfresh() {
        counts.increment(handle("a", 1, 0, 0), TEN, START);
        counts.forget(handle("a", 2, 0, 0));

        assertThat(counts.of(handle("a", 2, 0, 0), START)).isZero();
        assertThat(counts.size()).isZero();
    }

    @Test
    void beyondTheBoundTheOneTouchedLongestAgoIsForgottenAndCounted() {
        for (int offset = 0; offset < 3; offset++) {
            counts.increment(handle("a", 1, 0, offset), TEN, START);
        }
        counts.increment(handle("a", 2, 0, 0), TEN, START);
        counts.increment(handle("a", 2, 0, 3), TEN, START);

        assertThat(evicted.getCount()).isOne();
        assertThat(counts.of(handle("a", 3, 0, 0), START)).isEqualTo(2);
        assertThat(counts.of(handle("a", 3, 0, 1), START)).isZero();
    }

    @Test
    void anEntryEndsAnHourAfterItsMessageShouldHaveComeBack() {
        counts.increment(handle("a", 1, 0, 0), TEN, START);
        long end = START + TEN.toMillis() + Duration.ofHours(1).toMillis();

        assertThat(counts.snapshot(end - 1)).hasSize(1);
        assertThat(counts.snapshot(end)).isEmpty();
        assertThat(counts.of(handle("a", 1, 0, 0), end)).isZero();
    }

    @Test
    void theLargerOfTwoRestoredCountsHolds() {
        counts.restore(
                Arrays.asList(
                        new DeferralCount("GID-lite", "a-0", 4),
                        new DeferralCount("GID-lite", "a-0", 7),
                        new DeferralCount("GID-lite", "a-0", 5)),
                START);

        assertThat(counts.of(handle("a", 1, 0, 0), START)).isEqualTo(7);
    }

    @Test
    void ofMoreStateThanFitsTheLargerCountsAreKeptWhereverTheyStand() {
        List<DeferralCount> state = new ArrayList<>();
        state.add(new DeferralCount("GID-lite", "a-0", 15));
        for (int i = 1; i <= 10; i++) {
            state.add(new DeferralCount("GID-lite", "a-" + i, i <= 5 ? 1 : 2));
        }
        state.add(new DeferralCount("GID-lite", "a-11", 14));

        counts.restore(state, START);

        assertThat(counts.size()).isEqualTo(3);
        assertThat(counts.of(handle("a", 1, 0, 0), START)).isEqualTo(15);
        assertThat(counts.of(handle("a", 1, 0, 11), START)).isEqualTo(14);
        assertThat(counts.snapshot(START))
                .extracting(DeferralCount::count)
                .containsExactlyInAnyOrder(15, 14, 2);
        assertThat(evicted.getCount()).isEqualTo(9);
    }

    @Test
    void stateDoesNotMultiplyWithRestartsAtAnyParallelism() {
        List<DeferralCount> state = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            state.add(new DeferralCount("GID-lite", "m-" + i, 1 + i % 16));
        }
        List<DeferralCount> before = new ArrayList<>(state);

        for (int parallelism : new int[] {4, 7, 1, 3}) {
            List<DeferralCount> after = new ArrayList<>();
            for (int subtask = 0; subtask < parallelism; subtask++) {
                DeferralCounts restored = new DeferralCounts(1000, evicted, subtask, parallelism);
                restored.restore(state, START);
                assertThat(restored.size()).isEqualTo(100);
                after.addAll(restored.snapshot(START));
            }
            state = after;
        }

        assertThat(state).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void aRestoredCountThatIsTouchedBelongsToTheToucher() {
        RocketMQReceiptHandle message = handle("a", 1, 0, 0);
        List<DeferralCount> written = new ArrayList<>();
        for (int subtask = 0; subtask < 4; subtask++) {
            DeferralCounts restored = new DeferralCounts(1000, evicted, subtask, 4);
            restored.restore(
                    Collections.singletonList(new DeferralCount("GID-lite", "a-0", 10)), START);
            restored.increment(message, TEN, START);
            assertThat(restored.snapshot(START))
                    .containsExactly(new DeferralCount("GID-lite", "a-0", 11));
            written.addAll(restored.snapshot(START));
        }
        assertThat(written).hasSize(4);
    }
}
