/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.flink.util.clock.ManualClock;
import org.junit.jupiter.api.Test;

class WaitingTimesTest {

    private final ManualClock clock = new ManualClock();
    private final WaitingTimes times = new WaitingTimes(clock, Duration.ofSeconds(30));

    @Test
    void anyNumberMayWaitUntilSomethingIsKnown() {
        times.arrived(512);

        assertThat(times.mayWait()).isEqualTo(WaitingTimes.ANY);
    }

    @Test
    void aFastDownstreamIsNotBounded() {
        times.arrived(512);
        leave(512, 0);

        assertThat(times.mayWait()).isGreaterThanOrEqualTo(512 * 15_000L);
    }

    @Test
    void asManyMayWaitAsLeaveWithinTheTime() {
        times.arrived(32);
        leave(32, 1000);

        assertThat(times.mayWait()).isEqualTo(15);
    }

    @Test
    void whatWaitedBeforeAnAnswerCountsForItsWait() {
        times.arrived(32);
        times.arrived(32);
        leave(64, 80);

        assertThat(times.mayWait()).isEqualTo(15_000 / 80);
    }

    @Test
    void aStandstillBoundsItAndFastDownstreamOpensItAgainStepByStep() {
        times.arrived(1);
        leave(1, 600_000);
        assertThat(times.mayWait()).isEqualTo(1);

        times.arrived(1);
        leave(1, 1);
        assertThat(times.mayWait()).isEqualTo(2);
        for (int i = 0; i < 9; i++) {
            times.arrived(1);
            leave(1, 1);
        }
        assertThat(times.mayWait()).isEqualTo(1024);
    }

    @Test
    void atLeastOneMayWaitHoweverSlowTheDownstreamIs() {
        times.arrived(2);
        leave(2, 60_000);

        assertThat(times.mayWait()).isEqualTo(1);
    }

    @Test
    void tellsHowLongTheOldestWaits() {
        assertThat(times.oldestMillis()).isZero();
        times.arrived(2);
        clock.advanceTime(Duration.ofSeconds(1));
        times.arrived(1);
        clock.advanceTime(Duration.ofSeconds(1));
        assertThat(times.oldestMillis()).isEqualTo(2000);
        leave(2, 0);
        assertThat(times.oldestMillis()).isEqualTo(1000);
    }

    private void leave(int messages, long millisEach) {
        for (int i = 0; i < messages; i++) {
            clock.advanceTime(Duration.ofMillis(millisEach));
            times.left();
        }
    }
}
