/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a client that gets nothing has to join anew. */
class IdleRefreshTest {

    private static final long START = -5_000_000_000L;

    private final IdleRefresh idle = new IdleRefresh(START, () -> 0.5);

    @Test
    void isDueAfterTwentyTwoSecondsOfPollingInVain() {
        idle.pollBegan("a", at(0));
        assertThat(idle.isDue(at(21_999))).isFalse();
        assertThat(idle.isDue(at(22_000))).isTrue();
    }

    @Test
    void emptyAnswersDoNotCountAsMessages() {
        for (long second = 0; second < 20; second += 5) {
            idle.pollBegan("a", at(second * 1000));
            idle.pollEnded("a", at(second * 1000 + 4_990), false);
        }
        idle.pollBegan("a", at(20_000));
        assertThat(idle.isDue(at(22_000))).isTrue();
    }

    @Test
    void aMessageStartsTheCountAnew() {
        idle.pollBegan("a", at(0));
        idle.pollBegan("a", at(0));
        idle.pollEnded("a", at(15_000), true);
        assertThat(idle.isDue(at(36_999))).isFalse();
        assertThat(idle.isDue(at(37_000))).isTrue();
    }

    @Test
    void joiningStartsTheCountAnew() {
        idle.pollBegan("a", at(0));
        idle.joined(at(22_000));
        assertThat(idle.isDue(at(43_999))).isFalse();
        assertThat(idle.isDue(at(44_000))).isTrue();
    }

    @Test
    void isNeverDueWithoutAPollUnderWay() {
        idle.pollBegan("a", at(0));
        idle.pollEnded("a", at(5_000), false);
        assertThat(idle.isDue(at(60_000))).isFalse();
    }

    @Test
    void afterAPauseWhatWaitedMeanwhileComesFirst() {
        idle.pollBegan("a", at(0));
        idle.pollEnded("a", at(1_000), false);
        idle.pollBegan("a", at(60_000));
        assertThat(idle.isDue(at(61_999))).isFalse();
        assertThat(idle.isDue(at(62_000))).isTrue();
    }

    @Test
    void anIdleBrokerBesideABusyOneIsDueInAMomentWhenThatIsCalm() {
        idle.pollBegan("b", at(0));
        for (long second = 0; second < 22; second++) {
            idle.pollBegan("a", at(second * 1000));
            idle.pollEnded("a", at(second * 1000 + 900), true);
        }
        idle.pollBegan("a", at(21_950));
        assertThat(idle.isDue(at(22_000))).isFalse();
        assertThat(idle.isDue(at(22_199))).isFalse();
        assertThat(idle.isDue(at(22_200))).isTrue();
        idle.joined(at(22_200));
        assertThat(idle.isDue(at(22_900))).isFalse();
    }

    @Test
    void anIdleBrokerDoesNotDelayWhatMayWaitAtOneThatIsNotPolledNow() {
        idle.pollBegan("b", at(0));
        idle.pollBegan("a", at(0));
        idle.pollEnded("a", at(20_000), true);
        assertThat(idle.isDue(at(30_000))).isFalse();
        idle.pollBegan("a", at(30_000));
        assertThat(idle.isDue(at(30_299))).isFalse();
        assertThat(idle.isDue(at(30_300))).isTrue();
    }

    @Test
    void aBrokerThatIsGoneKeepsNobodyWaiting() {
        idle.pollBegan("b", at(0));
        idle.pollBegan("c", at(0));
        idle.pollBegan("a", at(0));
        idle.pollEnded("a", at(1_000), false);
        idle.pollEnded("c", at(60_900), true);
        idle.pollBegan("c", at(60_900));
        assertThat(idle.isDue(at(61_200))).isTrue();
    }

    @Test
    void theWaitVariesByTwoSecondsSoThatClientsDoNotMoveInStep() {
        IdleRefresh early = new IdleRefresh(START, () -> 0.0);
        IdleRefresh late = new IdleRefresh(START, () -> 1.0);
        early.pollBegan("a", at(0));
        late.pollBegan("a", at(0));
        assertThat(early.isDue(at(20_000))).isTrue();
        assertThat(late.isDue(at(23_999))).isFalse();
        assertThat(late.isDue(at(24_000))).isTrue();
    }

    private static long at(long millis) {
        return START + Duration.ofMillis(millis).toNanos();
    }
}
