/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The demo's command line: what it refuses before it starts anything. */
@Timeout(20)
class DemoTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter errors = new StringWriter();
    private final CommandLine command =
            Demo.command().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(errors, true));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--seconds=9           | --seconds: 9 (expected: 10 to 3600)",
                "--seconds=soon        | Invalid value for option '--seconds': 'soon' is not an int",
                "--tenants=0           | --tenants: 0 (expected: 10 to 10000)",
                "--tenants=10001       | --tenants: 10001 (expected: 10 to 10000)",
                "--json=/no/such/d/f   | --json: /no/such/d/f (expected: a writable file)",
                "--json=/              | --json: / (expected: a writable file)",
                "--fast                | Unknown option: '--fast'",
                "surplus               | Unmatched argument at index 0: 'surplus'",
                "--json                | Missing required parameter for option '--json' (FILE)"
            })
    void wrongOptionIsOneLineAndExitCodeTwo(String argument, String message) {
        int exitCode = command.execute(argument);

        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString()).isEqualTo("./demo: " + message + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void directoryIsNoJsonFile(@TempDir Path directory) {
        assertThat(command.execute("--json", directory.toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("--json: " + directory);
    }

    @Test
    void helpOfTheScriptIsTheHelpOfTheCommand() throws IOException {
        assertThat(command.execute("--help")).isZero();

        byte[] file = Demo.class.getResourceAsStream("/demo-usage.txt").readAllBytes();
        assertThat(out.toString()).isEqualTo(new String(file, StandardCharsets.UTF_8));
    }
}
