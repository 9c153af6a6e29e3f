/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.Backoff;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is away for long after it was there: nobody gives up, and everybody can see it. */
@Timeout(20)
class LastingFailureTest {

    private static final int FAILURES = 50;

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final ManualTimer timer = new ManualTimer();
    private final CountedMetrics counted = new CountedMetrics();
    private final ManualClock clock = new ManualClock(TimeUnit.MILLISECONDS.toNanos(Messages.BORN));
    private final ReceiveSession session =
            new ReceiveSession(
                    Configs.config(32, 1),
                    config -> consumer,
                    Optional.empty(),
                    new SourceMetrics(counted.group()),
                    timer,
                    clock);

    @Test
    void theReaderKeepsTryingCountsAndTellsWhenItLastFailed() throws Exception {
        // case 26, the transient half
        session.start();
        consumer.startSucceeds();
        consumer.openPoll().answers(Messages.delivery("a", 1));
        assertThat(counted.gauge("lastReceiveErrorTime")).isZero();
        timer.runNext();
        for (int i = 1; i <= FAILURES; i++) {
            clock.advanceTime(Duration.ofSeconds(1));
            consumer.openPoll().fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
            assertThat(counted.count("receiveErrors")).isEqualTo(i);
            assertThat(counted.gauge("lastReceiveErrorTime")).isEqualTo(clock.absoluteTimeMillis());
            assertThat(timer.lastDelay()).isLessThanOrEqualTo(Backoff.DEFAULT_LONGEST);
            timer.runNext();
        }
        assertThat(consumer.openPolls()).hasSize(1);
        consumer.openPoll().answers(Messages.delivery("b", 1));

        assertThat(session.take()).hasSize(2);
        assertThat(counted.count("receiveErrors")).isEqualTo(FAILURES);
    }
}
