/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

class PlaceholderSplitSerializerTest {

    private final PlaceholderSplitSerializer serializer = new PlaceholderSplitSerializer();

    @Test
    void writesAndReadsTheGoldenBytesOfVersionOneAndRefusesOtherVersions() throws IOException {
        // case 42, the split half
        byte[] golden = golden("placeholder-split-v1.bin");

        assertThat(serializer.getVersion()).isEqualTo(1);
        assertThat(serializer.serialize(new PlaceholderSplit(3))).isEqualTo(golden);
        assertThat(serializer.deserialize(1, golden)).isEqualTo(new PlaceholderSplit(3));
        assertThatThrownBy(() -> serializer.deserialize(2, new byte[4]))
                .isInstanceOf(IOException.class)
                .hasMessage("split version 2 (expected: 1 or less)");
        assertThatThrownBy(() -> serializer.deserialize(1, new byte[5]))
                .isInstanceOf(IOException.class)
                .hasMessage("split of 5 bytes (expected: 4)");
    }

    @Test
    void theIdTellsTheSubtask() {
        assertThat(new PlaceholderSplit(12).splitId()).isEqualTo("subtask-12");
        assertThat(new PlaceholderSplit(12))
                .isEqualTo(new PlaceholderSplit(12))
                .hasSameHashCodeAs(new PlaceholderSplit(12))
                .isNotEqualTo(new PlaceholderSplit(1));
        assertThatThrownBy(() -> new PlaceholderSplit(-1))
                .hasMessage("subtask: -1 (expected: 0 or more)");
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in =
                PlaceholderSplitSerializerTest.class.getResourceAsStream("/golden/" + name)) {
            return in.readAllBytes();
        }
    }
}
