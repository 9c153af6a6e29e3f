/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** However the JVM that started a cluster ends, nothing of the cluster stays. */
@Timeout(180)
class ParentDeathITCase {

    @TempDir Path temp;

    @Test
    void aKilledParentLeavesNeitherChildNorFiles() throws Exception {
        Process parent = Processes.java(temp, ParentProcess.class, List.of());
        try {
            String line = lineStartingWith(parent, "child ");
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(line.substring("child ".length())))
                            .orElseThrow();
            assertThat(Processes.entries(temp)).hasSize(1);

            parent.destroyForcibly();

            await().atMost(Duration.ofSeconds(10)).until(() -> !child.isAlive());
            assertThat(Processes.entries(temp)).isEmpty();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void theCommandLineTellsWhereItIsAndSigtermEndsItWithoutResidue() throws Exception {
        Process main =
                Processes.java(
                        temp,
                        DevClusterMain.class,
                        List.of(CommandLine.class),
                        "--topic",
                        "MainTopic",
                        "--group",
                        "GID-main");
        try {
            String endpoints = lineStartingWith(main, "endpoints").replaceAll("\\S+\\s+", "");
            assertThat(endpoints).matches("127\\.0\\.0\\.1:\\d+");
            ProcessHandle child = main.toHandle().children().findFirst().orElseThrow();

            main.destroy();

            assertThat(main.waitFor(5, TimeUnit.SECONDS)).isTrue();
            assertThat(child.isAlive()).isFalse();
            assertThat(Processes.entries(temp)).isEmpty();
        } finally {
            main.destroyForcibly();
        }
    }

    private static String lineStartingWith(Process process, String prefix) throws Exception {
        BufferedReader output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder seen = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(prefix)) {
                return line;
            }
            seen.append(line).append('\n');
        }
        throw new AssertionError("no line starting with '" + prefix + "' in:\n" + seen);
    }
}
