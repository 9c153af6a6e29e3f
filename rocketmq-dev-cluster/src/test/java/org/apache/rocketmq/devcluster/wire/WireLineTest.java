/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class WireLineTest {

    @Test
    void everyArgumentSurvivesTheLine() {
        WireLine line =
                WireLine.of(42, "create topic", "", "a\tb", "c\nd\r\n", "%41+", "租户", "#1", " ");

        String text = line.format();
        WireLine read = WireLine.parse(text);

        assertThat(text.lines()).hasSize(1);
        assertThat(read.id()).isEqualTo(42);
        assertThat(read.word()).isEqualTo("create topic");
        assertThat(read.arguments()).isEqualTo(line.arguments());
    }

    @Test
    void aLineWithoutArgumentsHasNone() {
        assertThat(WireLine.parse(WireLine.of(1, WireLine.OK).format()).arguments()).isEmpty();
    }

    @Test
    void oneEmptyArgumentIsNotNone() {
        assertThat(WireLine.parse(WireLine.of(1, WireLine.OK, "").format()).arguments())
                .containsExactly("");
    }

    @Test
    void whatALibraryPrintsIsNoWireLine() {
        assertThat(WireLine.isWireLine("SLF4J: no binder")).isFalse();
        assertThat(WireLine.isWireLine("")).isFalse();
        assertThat(WireLine.isWireLine(WireLine.of(1, WireLine.OK).format())).isTrue();
    }

    @Test
    void anotherLineIsRefusedByItsText() {
        assertThatThrownBy(() -> WireLine.parse("hello"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a protocol line: hello");
    }
}
