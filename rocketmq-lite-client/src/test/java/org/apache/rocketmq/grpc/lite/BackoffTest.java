/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Backoff between attempts. */
class BackoffTest {

    // beside case 25
    @Test
    void doublesFromTheFirstToTheLongestAndStaysThere() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), () -> 0.5);
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            delays.add(backoff.next().toMillis());
        }
        assertThat(delays)
                .containsExactly(
                        100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 12800L, 25600L, 30000L,
                        30000L);
    }

    // beside case 25
    @Test
    void resetStartsFromTheFirstAgain() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30), () -> 0.5);
        backoff.next();
        backoff.next();
        backoff.reset();
        assertThat(backoff.next()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void jitterStaysWithinAFifthAndNeverPassesTheLongest() {
        Backoff low = new Backoff(Duration.ofMillis(100), Duration.ofMillis(200), () -> 0.0);
        Backoff high = new Backoff(Duration.ofMillis(100), Duration.ofMillis(200), () -> 0.999999);
        assertThat(low.next()).isEqualTo(Duration.ofMillis(80));
        assertThat(high.next()).isEqualTo(Duration.ofMillis(120));
        assertThat(low.next()).isEqualTo(Duration.ofMillis(160));
        assertThat(high.next()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    void theDefaultsGoFromATenthOfASecondToHalfAMinute() {
        Backoff backoff = new Backoff();
        assertThat(backoff.next()).isBetween(Duration.ofMillis(80), Duration.ofMillis(120));
        for (int i = 0; i < 20; i++) {
            backoff.next();
        }
        assertThat(backoff.next()).isBetween(Duration.ofSeconds(24), Duration.ofSeconds(30));
    }

    @Test
    void limitsTheWrongWayRoundAreRefused() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), () -> 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("first <= longest");
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), () -> 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
