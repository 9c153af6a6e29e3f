/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused before it is sent. */
class OutgoingCheckTest {

    private static final byte[] BODY = {1};

    @ParameterizedTest
    @ValueSource(strings = {"a", "A-b_9", "-", "_"})
    void goodLiteTopicsPass(String liteTopic) {
        assertThat(problem(LiteOutgoingMessage.of(liteTopic, BODY))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a.b", "a/b", "a%", "\u00e4", "a\n", "\u540d"})
    void otherLiteTopicsDoNot(String liteTopic) {
        assertThat(problem(LiteOutgoingMessage.of(liteTopic, BODY))).startsWith("liteTopic: ");
    }

    @Test
    void aLiteTopicHasAtMostSixtyFourCharacters() {
        assertThat(problem(LiteOutgoingMessage.of("x".repeat(64), BODY))).isNull();
        assertThat(problem(LiteOutgoingMessage.of("x".repeat(65), BODY))).startsWith("liteTopic: ");
    }

    // beside case 49
    @Test
    void aMessageWithEverythingInItHasFourMebibytesAtMost() {
        int largest = 4 * 1024 * 1024 - 1024;
        assertThat(problem(LiteOutgoingMessage.of("a", new byte[0]))).startsWith("body: 0 bytes");
        assertThat(problem(LiteOutgoingMessage.of("a", new byte[largest]))).isNull();
        assertThat(problem(LiteOutgoingMessage.of("a", new byte[largest + 1])))
                .isEqualTo("body: 4193281 bytes (expected: 1 to 4193280 bytes)");
        assertThat(
                        problem(
                                LiteOutgoingMessage.builder("a", new byte[largest])
                                        .tag("t")
                                        .keys(List.of("k"))
                                        .properties(Map.of("n", "\u00e4"))
                                        .build()))
                .isEqualTo("body: 4193280 bytes (expected: 1 to 4193271 bytes)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a|b", "a\tb", "\u0000"})
    void tagsTheServerCannotFilterByAreRefused(String tag) {
        assertThat(problem(LiteOutgoingMessage.builder("a", BODY).tag(tag).build()))
                .startsWith("tag: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\u0001"})
    void blankKeysAndControlCharactersAreRefused(String bad) {
        assertThat(problem(LiteOutgoingMessage.builder("a", BODY).keys(List.of("k", bad)).build()))
                .startsWith("keys: ");
        assertThat(
                        problem(
                                LiteOutgoingMessage.builder("a", BODY)
                                        .properties(Map.of(bad, "v"))
                                        .build()))
                .startsWith("properties: name ");
    }

    @Test
    void propertiesAreBoundedAndTheirValuesNeverShown() {
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i < 129; i++) {
            many.put("k" + i, "v");
        }
        assertThat(problem(LiteOutgoingMessage.builder("a", BODY).properties(many).build()))
                .startsWith("properties: 129");
        many.remove("k0");
        assertThat(problem(LiteOutgoingMessage.builder("a", BODY).properties(many).build()))
                .isNull();
        assertThat(
                        problem(
                                LiteOutgoingMessage.builder("a", BODY)
                                        .properties(Map.of("name", "secret\u0002"))
                                        .build()))
                .startsWith("properties: value of 'name'")
                .doesNotContain("secret");
    }

    @Test
    void tagsKeysAndPropertiesMayBeOfAnyScript() {
        assertThat(
                        problem(
                                LiteOutgoingMessage.builder("a", BODY)
                                        .tag("\u6807\u7b7e")
                                        .keys(List.of("\u952e"))
                                        .properties(Map.of("\u540d", "\u503c"))
                                        .build()))
                .isNull();
    }

    private static String problem(LiteOutgoingMessage message) {
        return OutgoingCheck.problemOf(message);
    }
}
