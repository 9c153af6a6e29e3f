/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.junit.jupiter.api.Test;

/** The metrics table of the source's page names what the source registers. */
class MetricsDocsTest {

    private static final Pattern TABLE =
            Pattern.compile("<!-- metrics -->(.*)<!-- end of metrics -->", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

    @Test
    void everyMetricOfOursIsInTheTableAndNoOther() throws IOException {
        CountedMetrics counted = new CountedMetrics();
        Set<String> flinks = new TreeSet<>(new CountedMetrics().all().keySet());
        SourceMetrics metrics = new SourceMetrics(counted.group());
        metrics.watchQueue(() -> 0, () -> 0, () -> 0);
        Set<String> ours = new TreeSet<>(counted.all().keySet());
        ours.removeAll(flinks);
        ours.remove("currentFetchEventTimeLag");
        ours.add("receiveErrorsByCode");

        assertThat(documented()).containsExactlyInAnyOrderElementsOf(ours);
    }

    private static Set<String> documented() throws IOException {
        Matcher table = TABLE.matcher(Files.readString(Path.of("..", "docs", "source.md")));
        assertThat(table.find()).isTrue();
        Set<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(table.group(1));
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }
}
