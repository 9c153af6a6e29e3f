/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.types.StringValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state format of the own count. */
class DeferralCountSerializerTest {

    private static final DeferralCountSerializer SERIALIZER = DeferralCountSerializer.INSTANCE;
    private static final DeferralCount RECORD =
            new DeferralCount("GID-lite", "01ABCDEF-租户", Integer.MAX_VALUE);

    @Test
    void version1IsReadAndWrittenAsItAlwaysWas() throws IOException {
        byte[] golden = golden("deferral-count-v1.bin");

        assertThat(read(golden)).isEqualTo(RECORD);
        assertThat(write(RECORD)).isEqualTo(golden);
    }

    @ParameterizedTest
    @ValueSource(bytes = {0, 2, 127, -1})
    void anUnknownVersionIsRefusedWithBothNumbers(byte version) throws IOException {
        byte[] bytes = write(RECORD);
        bytes[0] = version;

        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version " + version)
                .hasMessageContaining("1 to " + DeferralCountSerializer.VERSION);
    }

    @Test
    void aCountBelowOneIsRefused() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        out.writeByte(1);
        StringValue.writeString("GID-lite", out);
        StringValue.writeString("m", out);
        out.writeInt(0);

        assertThatThrownBy(() -> read(out.getCopyOfBuffer()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Not a deferral count")
                .hasMessageContaining("count 0");
    }

    @Test
    void copyingBytesCopiesTheRecord() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        SERIALIZER.copy(new DataInputDeserializer(write(RECORD)), out);

        assertThat(read(out.getCopyOfBuffer())).isEqualTo(RECORD);
        assertThat(SERIALIZER.copy(RECORD)).isSameAs(RECORD);
        assertThat(SERIALIZER.copy(RECORD, SERIALIZER.createInstance())).isSameAs(RECORD);
    }

    @Test
    void theSnapshotRestoresTheSerializer() {
        TypeSerializerSnapshot<DeferralCount> snapshot = SERIALIZER.snapshotConfiguration();

        assertThat(snapshot.restoreSerializer()).isEqualTo(SERIALIZER);
        assertThat(SERIALIZER.snapshotConfiguration().resolveSchemaCompatibility(snapshot))
                .matches(compatibility -> compatibility.isCompatibleAsIs());
    }

    private static byte[] write(DeferralCount record) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        SERIALIZER.serialize(record, out);
        return out.getCopyOfBuffer();
    }

    private static DeferralCount read(byte[] bytes) throws IOException {
        return SERIALIZER.deserialize(new DataInputDeserializer(bytes));
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in =
                DeferralCountSerializerTest.class.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as("golden bytes " + name).isNotNull();
            return in.readAllBytes();
        }
    }
}
