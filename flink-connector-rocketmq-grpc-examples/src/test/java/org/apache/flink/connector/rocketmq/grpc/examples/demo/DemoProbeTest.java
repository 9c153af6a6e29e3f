/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DemoProbeTest {

    private long nanos = Duration.ofSeconds(5).toNanos();
    private final DemoProbe probe = DemoProbe.open("probe-test", () -> nanos);

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void workDoneAgainIsADuplicateAndNoLatency() {
        DemoMessage message = new DemoMessage(3, Duration.ofSeconds(4).toNanos(), false, false);

        probe.worked(message);
        nanos += Duration.ofSeconds(60).toNanos();
        probe.worked(message);

        assertThat(probe.duplicateCount()).isEqualTo(1);
        assertThat(probe.workedSet().size()).isEqualTo(1);
        LatencyFigures cold = LatencyFigures.of(probe.coldMicros().getIntervalHistogram(), 1);
        assertThat(cold.count()).isEqualTo(1);
        assertThat(cold.p99Ms()).isBetween(1000.0, 1001.0);
        assertThat(probe.hotMicros().getIntervalHistogram().getTotalCount()).isZero();
    }

    @Test
    void operatorsFindTheProbeWhileItIsOpen() {
        assertThat(DemoProbe.of("probe-test")).isSameAs(probe);

        probe.close();

        assertThatThrownBy(() -> DemoProbe.of("probe-test"))
                .hasMessage("probe probe-test is not open in this JVM");
    }

    @Test
    void secondProbeOfANameIsRefused() {
        assertThatThrownBy(() -> DemoProbe.open("probe-test", () -> 0L))
                .hasMessage("probe probe-test is open already");
    }
}
