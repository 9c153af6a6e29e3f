/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java code of these pages is compiled code: each of its paragraphs stands in an example. */
class ReadmeSnippetTest {

    private static final Path SOURCES =
            Path.of("src/main/java/org/apache/flink/connector/rocketmq/grpc/examples");
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)\\n```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(
            strings = {"README.md", "docs/wiring.md", "docs/credentials.md", "docs/throttling.md"})
    void everyParagraphOfAPagesCodeStandsInAnExample(String page) throws IOException {
        StringBuilder examples = new StringBuilder();
        try (DirectoryStream<Path> sources = Files.newDirectoryStream(SOURCES, "*Job.java")) {
            for (Path source : sources) {
                examples.append(withoutLayout(Files.readString(source)));
            }
        }

        List<String> paragraphs = paragraphs(Files.readString(Path.of("..").resolve(page)));

        assertThat(paragraphs).isNotEmpty();
        assertThat(paragraphs).allSatisfy(code -> assertThat(examples).contains(code));
    }

    @Test
    void oneLineThatDiffersIsNoticed() {
        String readme = "text\n```java\nint a = 1;\n\n    int b = 2;\n```\n";

        assertThat(paragraphs(readme)).containsExactly("inta=1;", "intb=2;");
    }

    private static List<String> paragraphs(String markdown) {
        List<String> paragraphs = new ArrayList<>();
        Matcher block = JAVA.matcher(markdown);
        while (block.find()) {
            for (String paragraph : block.group(1).split("\\n\\s*\\n")) {
                paragraphs.add(withoutLayout(paragraph));
            }
        }
        return paragraphs;
    }

    private static String withoutLayout(String code) {
        return code.replaceAll("\\s+", "");
    }
}
