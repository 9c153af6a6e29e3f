/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RocketMQReceiptHandleSerializerTest {

    private static final RocketMQReceiptHandleSerializer SERIALIZER =
            RocketMQReceiptHandleSerializer.INSTANCE;

    @Test
    void everyFieldSurvivesTheWireFormat() throws IOException {
        assertThat(read(write(Handles.full()))).isEqualTo(Handles.full());
        assertThat(read(write(Handles.plain()))).isEqualTo(Handles.plain());
    }

    @Test
    void everyFieldSurvivesJavaSerialization() throws Exception {
        byte[] bytes = InstantiationUtil.serializeObject(Handles.full());

        Object copy = InstantiationUtil.deserializeObject(bytes, getClass().getClassLoader());

        assertThat(copy).isEqualTo(Handles.full());
    }

    @Test
    void version1IsWrittenAndReadAsTheGoldenBytesSay() throws IOException {
        byte[] golden = golden("receipt-handle-v1.bin");

        assertThat(read(golden)).isEqualTo(Handles.full());
        assertThat(write(Handles.full())).isEqualTo(golden);
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 2, 127, -1})
    void anUnknownVersionIsRefusedWithBothNumbers(byte version) throws IOException {
        byte[] bytes = write(Handles.plain());
        bytes[0] = version;

        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version " + version)
                .hasMessageContaining("1 to " + RocketMQReceiptHandleSerializer.VERSION);
    }

    @Test
    void hostileStringsSurviveUnchanged() throws IOException {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 0x300; c++) {
            all.append(c);
        }
        all.append("\uD83D\uDE00\uD83D");
        RocketMQReceiptHandle handle =
                Handles.plain().toBuilder()
                        .message(all.toString(), all.toString(), all.toString())
                        .receipt(all.toString(), -1L)
                        .build();

        assertThat(read(write(handle))).isEqualTo(handle);
    }

    @Test
    void damagedBytesGiveAHandleOrAnIoExceptionAndNothingElse() throws IOException {
        byte[] good = write(Handles.full());
        Random random = new Random(42);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            int at = random.nextInt(bad.length);
            bad[at] = (byte) random.nextInt(256);
            try {
                read(bad);
            } catch (IOException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void aDamagedLengthIsRefusedBeforeAnythingIsAllocated() {
        byte[] twoBillion = {1, -1, -1, -1, -1, 7};

        assertThatThrownBy(() -> read(twoBillion))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a field of 2147483646 characters (at most 1048576)");
    }

    @Test
    void aNumberWithoutEndIsRefused() {
        byte[] noEnd = {1, -1, -1, -1, -1, -1, -1, 7};

        assertThatThrownBy(() -> read(noEnd))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("more than 32 bits");
    }

    @Test
    void theHandleStringIsNotInToString() {
        assertThat(Handles.full().toString())
                .contains("LiteMainTopic", "tenant-1", "01ABCDEF")
                .doesNotContain("1796068180036 10000");
    }

    @Test
    void aPlaceOutsideTheDeliveryIsRefused() {
        assertThatThrownBy(() -> Handles.plain().toBuilder().part(3, 3).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("part 3 of 3");
        assertThatThrownBy(() -> Handles.plain().toBuilder().place(-1, false).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("index -1");
    }

    static byte[] write(RocketMQReceiptHandle handle) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        SERIALIZER.serialize(handle, out);
        return out.getCopyOfBuffer();
    }

    private static RocketMQReceiptHandle read(byte[] bytes) throws IOException {
        return SERIALIZER.deserialize(new DataInputDeserializer(bytes));
    }

    static byte[] golden(String name) throws IOException {
        try (InputStream in =
                RocketMQReceiptHandleSerializerTest.class.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as("golden bytes " + name).isNotNull();
            return in.readAllBytes();
        }
    }
}
