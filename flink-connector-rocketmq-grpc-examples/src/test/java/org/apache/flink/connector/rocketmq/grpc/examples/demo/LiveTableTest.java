/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LiveTableTest {

    private final StringWriter text = new StringWriter();
    private final LiveTable table = new LiveTable(new PrintWriter(text));

    @Test
    void rowShowsWhatHappenedSinceTheLastOne() {
        Counts before = new Counts.Builder().work(100, 90, 0).acks(80, 0).deferred(3, 3).build();
        Counts now =
                new Counts.Builder()
                        .load(500, 377)
                        .work(150, 123, 0)
                        .acks(99, 0)
                        .deferred(5, 5)
                        .build();

        table.row(
                Duration.ofMillis(2004),
                before,
                now,
                new LatencyFigures(10, 812.4, 1999.6, 10),
                new LatencyFigures(0, 0, 0, 0));

        assertThat(text.toString().trim().split("[ |]+"))
                .containsExactly("2", "50", "33", "19", "2", "812", "2000", "-", "-", "377");
    }

    @Test
    void columnsLineUpWithTheirNames() {
        table.head();
        table.row(
                Duration.ofSeconds(1),
                Counts.NONE,
                Counts.NONE,
                new LatencyFigures(1, 1, 1, 1),
                new LatencyFigures(1, 1, 1, 1));

        String[] lines = text.toString().split("\\R");
        assertThat(lines).hasSize(3);
        assertThat(bars(lines[1])).isEqualTo(bars(lines[0]));
        assertThat(bars(lines[2])).isEqualTo(bars(lines[0]));
    }

    private static String bars(String line) {
        StringBuilder places = new StringBuilder();
        for (int i = line.indexOf('|'); i >= 0; i = line.indexOf('|', i + 1)) {
            places.append(i).append(' ');
        }
        return places.toString();
    }
}
