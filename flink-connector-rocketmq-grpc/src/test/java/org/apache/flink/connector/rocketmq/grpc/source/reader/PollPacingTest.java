/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollPacingTest {

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final PollPacing pacing = new PollPacing(() -> 0.5);

    @Test
    void failuresBackOffFromAHundredMillisecondsToThirtySeconds() {
        // beside case 25
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 11; i++) {
            delays.add(pacing.afterFailure().toMillis());
        }

        assertThat(delays)
                .containsExactly(
                        100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 12800L, 25600L, 30000L,
                        30000L);
    }

    @Test
    void messagesResetTheBackoffAndAreFollowedAtOnce() {
        pacing.afterFailure();
        pacing.afterFailure();

        assertThat(pacing.afterMessages()).isZero();
        assertThat(pacing.afterFailure()).hasMillis(100);
    }

    @Test
    void anEmptyAnswerAfterALongPollIsASuccess() {
        pacing.afterFailure();

        assertThat(pacing.afterEmpty(Duration.ofSeconds(20))).isZero();
        assertThat(pacing.afterFailure()).hasMillis(100);
    }

    @Test
    void anEmptyAnswerAtOnceIsNoSuccess() {
        pacing.afterFailure();
        pacing.afterEmpty(AT_ONCE);

        assertThat(pacing.afterFailure()).hasMillis(200);
    }

    @Test
    void emptyAnswersAtOnceAreSlowedDownFromTheSecondOn() {
        assertThat(pacing.afterEmpty(AT_ONCE)).isZero();
        assertThat(pacing.afterEmpty(AT_ONCE)).hasMillis(125);
        assertThat(pacing.afterEmpty(AT_ONCE)).hasMillis(250);
        assertThat(pacing.afterEmpty(AT_ONCE)).hasMillis(250);
    }

    @Test
    void evenTheLuckiestJitterAllowsNoMoreThanTenPollsASecond() {
        // beside case 23
        PollPacing lucky = new PollPacing(() -> 0);
        lucky.afterEmpty(AT_ONCE);

        assertThat(lucky.afterEmpty(AT_ONCE)).isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }
}
