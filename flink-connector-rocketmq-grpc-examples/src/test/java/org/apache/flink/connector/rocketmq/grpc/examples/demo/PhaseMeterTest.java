/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PhaseMeterTest {

    private final DemoProbe probe = DemoProbe.open("meter-test", () -> 0L);
    private final LoadGenerator load =
            new LoadGenerator(null, new LoadSchedule(Duration.ofSeconds(1), 1, 1, 1));
    private final AtomicLong deferred = new AtomicLong();
    private final PhaseMeter meter =
            new PhaseMeter(probe, load, deferred::get, () -> deferred.get() + 1);

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void countsAreReadWhereTheyArise() {
        load.sent().add(0);
        load.sent().add(1);
        probe.received();
        probe.received();
        probe.received();
        work(1, false);
        work(1, false);
        probe.acked();
        probe.unsettled();
        deferred.set(4);

        Counts counts = meter.counts();

        assertThat(counts.sent()).isEqualTo(2);
        assertThat(counts.received()).isEqualTo(3);
        assertThat(counts.worked()).isEqualTo(1);
        assertThat(counts.duplicates()).isEqualTo(1);
        assertThat(counts.notWorked()).isEqualTo(1);
        assertThat(counts.acked()).isEqualTo(1);
        assertThat(counts.unsettled()).isEqualTo(1);
        assertThat(counts.deferredDeliveries()).isEqualTo(4);
        assertThat(counts.deferRpcs()).isEqualTo(5);
    }

    @Test
    void resultCoversTheWindowOnly() {
        work(0, true);
        meter.openWindow();
        work(1, true);
        work(2, false);
        work(3, false);
        meter.closeWindow();
        work(4, false);

        PhaseResult result = meter.result(7);

        assertThat(result.hot().count()).isEqualTo(1);
        assertThat(result.cold().count()).isEqualTo(2);
        assertThat(result.counts().worked()).isEqualTo(5);
        assertThat(result.lostByOffset()).isEqualTo(7);
    }

    @Test
    void eachRowBeginsWhereTheLastOneEnded() {
        StringWriter text = new StringWriter();
        LiveTable table = new LiveTable(new PrintWriter(text));
        work(0, true);
        meter.tick(table, Duration.ofSeconds(1));
        work(1, true);
        work(2, true);
        meter.tick(table, Duration.ofSeconds(2));

        String[] rows = text.toString().split("\\R");
        assertThat(rows[0].trim().split("[ |]+")).startsWith("1", "0", "1");
        assertThat(rows[1].trim().split("[ |]+")).startsWith("2", "0", "2");
    }

    private void work(int sequence, boolean hot) {
        probe.worked(new DemoMessage(sequence, 0L, hot, false));
    }
}
