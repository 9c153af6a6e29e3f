/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every fault class has one test method that proves it, or one for each half of it, marked with
 * {@code // case NN} or {@code // case NN, the … half} in the first line of its body or above its
 * annotations. What else tests the same fault says {@code // beside case NN}.
 */
class CaseLabelsTest {

    /** The cases that have their proof, and the halves of those that have several. */
    private static final String PROVEN =
            "1; 2; 4; 5; 6; 7; 9; 10, the downstream half; 10, the source half; 11; 12; 13; 14; 15;"
                    + " 17; 18; 19, a long poll is under way; 19, the queue is empty;"
                    + " 19, the queue is full; 20; 21; 23; 25; 26, the fatal half;"
                    + " 26, the transient half; 27; 28; 29; 31; 32; 33; 34; 35; 36; 38; 39;"
                    + " 42, the enumerator half; 42, the split half; 42, the value half; 44; 47;"
                    + " 48, the source half; 49, the heap half; 49, the source half; 60;"
                    + " 64, the downstream half; 64, the source half; 65; 66";

    private static final Pattern LABEL = Pattern.compile("// case (\\d+(?:, [^:]+)?)(?::.*)?");
    private static final Pattern METHOD = Pattern.compile("\\bvoid (\\w+)\\(");
    private static final Pattern TEST =
            Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestTemplate)\\b.*");

    @Test
    void everyCaseIsProvenByOneTestMethodOrByOneForEachHalf() throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of(".."))) {
            List<Path> tests =
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(file -> file.toString().contains("/src/test/java/"))
                            .collect(Collectors.toList());
            for (Path file : tests) {
                collect(file, found);
            }
        }

        assertThat(found)
                .allSatisfy((label, methods) -> assertThat(methods).as("case " + label).hasSize(1));
        assertThat(found.keySet()).containsAll(Arrays.asList(PROVEN.split("; ")));
    }

    private static void collect(Path file, Map<String, List<String>> found) throws IOException {
        List<String> lines =
                Files.readAllLines(file).stream().map(String::trim).collect(Collectors.toList());
        for (int i = 0; i < lines.size(); i++) {
            Matcher label = LABEL.matcher(lines.get(i));
            if (label.matches()) {
                found.computeIfAbsent(label.group(1), key -> new ArrayList<>())
                        .add(testMethod(file, lines, i));
            }
        }
    }

    /** The method whose body the line opens, or whose annotations follow it. */
    private static String testMethod(Path file, List<String> lines, int at) {
        boolean inside = lines.get(at - 1).endsWith("{");
        int end = inside ? at : at + 1;
        while (!inside && !lines.get(end - 1).endsWith("{")) {
            end++;
        }
        int begin = end;
        while (!lines.get(begin - 1).isEmpty() && begin > (inside ? 1 : at + 1)) {
            begin--;
        }
        List<String> head = lines.subList(begin, end);
        Matcher method = METHOD.matcher(String.join(" ", head));
        assertThat(method.find() && head.stream().anyMatch(line -> TEST.matcher(line).matches()))
                .as("%s:%d stands at a test method: %s", file, at + 1, head)
                .isTrue();
        return file.getFileName() + "#" + method.group(1);
    }
}
