/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The option tables of the docs say what the options say. With {@code -Ddocs.write=true} it writes
 * them instead.
 */
class OptionsDocsTest {

    private static final Path DOCS = Path.of("..", "docs");
    private static final String HOW =
            "option tables are stale; write them with: mvn -pl flink-connector-rocketmq-grpc -am"
                    + " verify -DskipITs -Dtest=OptionsDocsTest"
                    + " -Dsurefire.failIfNoSpecifiedTests=false -Ddocs.write=true";

    @Test
    void everyTableIsAsTheOptionsAre() throws IOException {
        for (Path page : pages()) {
            String text = Files.readString(page);
            String renewed = OptionTables.renewed(text);
            if (Boolean.getBoolean("docs.write") && !renewed.equals(text)) {
                Files.writeString(page, renewed);
                text = renewed;
            }

            assertThat(text).as("%s: %s", page, HOW).isEqualTo(renewed);
        }
    }

    @Test
    void everyOptionClassHasItsTable() throws IOException {
        List<String> there = OptionTables.askedFor(Files.readString(DOCS.resolve("options.md")));

        assertThat(there)
                .containsExactlyInAnyOrderElementsOf(OptionTables.optionClasses().keySet());
    }

    @Test
    void aTableThatDiffersIsNoticed() {
        String page = "a\n<!-- options: ack -->\n| old |\n<!-- end of options -->\nb\n";

        String renewed = OptionTables.renewed(page);

        assertThat(renewed)
                .startsWith("a\n<!-- options: ack -->\n| key | type | default | |\n")
                .contains("| `rocketmq.ack.max-in-flight` | Integer | `1024` | Most acks")
                .contains("| `rocketmq.ack.order` | Enum | `auto` |")
                .contains("<br>`none`: As they come. |\n")
                .doesNotContain("old")
                .endsWith("<!-- end of options -->\nb\n");
        assertThat(OptionTables.renewed(renewed)).isEqualTo(renewed);
    }

    @Test
    void aTableThatNobodyKnowsIsNamed() {
        assertThatThrownBy(
                        () ->
                                OptionTables.renewed(
                                        "<!-- options: sorce -->\n<!-- end of options -->"))
                .hasMessageContaining("sorce");
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(DOCS)) {
            List<Path> pages =
                    files.filter(file -> file.toString().endsWith(".md"))
                            .sorted()
                            .collect(Collectors.toList());
            assertThat(pages).isNotEmpty();
            return pages;
        }
    }
}
