/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {

    @TempDir Path directory;

    @Test
    void onlyTheEndOfALongLogIsShown() throws Exception {
        Path log = directory.resolve("log");
        Files.writeString(log, "first\n" + "x".repeat(10_000) + "\nlast\n");

        assertThat(LogTail.of(log)).startsWith("; end of its log:").endsWith("last");
        assertThat(LogTail.of(log)).doesNotContain("first").hasSizeLessThan(4_000);
    }

    @Test
    void aMissingLogIsSaidInsteadOfThrown() {
        assertThat(LogTail.of(directory.resolve("none"))).contains("none cannot be read");
    }
}
