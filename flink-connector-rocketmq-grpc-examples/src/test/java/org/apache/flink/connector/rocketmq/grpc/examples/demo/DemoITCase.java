/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole demo, with a short load, on a cluster of its own. */
@Timeout(150)
class DemoITCase {

    @TempDir private Path directory;

    @Test
    void shortDemoHoldsWhatItPromisesAndLeavesNothing() throws IOException {
        Path json = directory.resolve("demo.json");
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        CommandLine command =
                Demo.command()
                        .setOut(new PrintWriter(out, true))
                        .setErr(new PrintWriter(errors, true));

        Set<Thread> threadsBefore = ourThreads();
        Set<ProcessHandle> childrenBefore = children();

        int exitCode =
                command.execute("--seconds", "20", "--tenants", "50", "--json", json.toString());

        assertThat(exitCode).as("%s%n%s", out, errors).isZero();
        assertThat(errors.toString()).isEmpty();
        String figures = Files.readString(json);
        long greetings = 2 * 50;
        long sent =
                greetings + Math.round(20.0 * (DemoPlan.HOT_PER_SECOND + DemoPlan.COLD_PER_SECOND));
        assertThat(number(figures, "sent")).isEqualTo(sent);
        assertThat(number(figures, "processed")).isEqualTo(sent);
        assertThat(number(figures, "lostByCount")).isZero();
        assertThat(number(figures, "lostByOffset")).isZero();
        assertThat(number(figures, "deferredDeliveries"))
                .isPositive()
                .isEqualTo(number(figures, "deferRpcs"));
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(
                        () -> {
                            assertThat(threadsBefore).containsAll(ourThreads());
                            assertThat(childrenBefore).containsAll(children());
                        });
    }

    private static double number(String json, String field) {
        Matcher matcher = Pattern.compile("\"" + field + "\": ([0-9.]+)").matcher(json);
        assertThat(matcher.find()).as("%s in %s", field, json).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    private static Set<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rocketmq-"))
                .collect(Collectors.toSet());
    }

    private static Set<ProcessHandle> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .collect(Collectors.toSet());
    }
}
