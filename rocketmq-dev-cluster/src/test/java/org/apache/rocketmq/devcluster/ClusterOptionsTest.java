/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterOptionsTest {

    static Stream<Arguments> wrongValues() {
        return Stream.of(
                wrong(o -> o.brokers(0), "brokers: 0 (expected: 1 to 8)"),
                wrong(o -> o.brokers(9), "brokers: 9 (expected: 1 to 8)"),
                wrong(o -> o.proxyPort(-1), "proxyPort: -1 (expected: 0 (free) to 65535)"),
                wrong(o -> o.proxyPort(65_536), "proxyPort: 65536 (expected: 0 (free) to 65535)"),
                wrong(
                        o -> o.storeType("rocks"),
                        "storeType: rocks (expected: default, defaultRocksDB)"),
                wrong(
                        o -> o.storeType(null),
                        "storeType: null (expected: default, defaultRocksDB)"),
                wrong(o -> o.heap("256"), "heap: 256 (expected: a size like 256m or 1g)"),
                wrong(o -> o.heap("0m"), "heap: 0m (expected: a size like 256m or 1g)"),
                wrong(o -> o.heap(null), "heap: null (expected: a size like 256m or 1g)"));
    }

    private static Arguments wrong(Consumer<ClusterOptions> set, String message) {
        return Arguments.of(set, message);
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void aWrongValueIsRefusedByName(Consumer<ClusterOptions> set, String message) {
        assertThatThrownBy(() -> set.accept(new ClusterOptions()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void valuesAtTheEdgeAreAccepted() {
        ClusterOptions options = new ClusterOptions();
        options.brokers(1);
        options.brokers(8);
        options.proxyPort(65_535);
        options.storeType("default");
        options.heap("1g");

        assertThat(options.proxyPort()).isEqualTo(65_535);
        assertThat(options.heap()).isEqualTo("1g");
    }

    @Test
    void onlyADirectoryOfTheUserIsKept() {
        ClusterOptions options = new ClusterOptions();
        assertThat(options.isTemporary()).isTrue();

        options.dataDir(Path.of("data"));

        assertThat(options.isTemporary()).isFalse();
        assertThat(options.dataDir()).isAbsolute();
    }
}
