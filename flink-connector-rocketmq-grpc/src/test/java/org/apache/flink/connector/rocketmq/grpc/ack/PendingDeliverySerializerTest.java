/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Collections;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state format of the handles that wait for their checkpoint. */
class PendingDeliverySerializerTest {

    private static final PendingDeliverySerializer SERIALIZER = PendingDeliverySerializer.INSTANCE;
    private static final PendingDelivery RECORD =
            new PendingDelivery(Arrays.asList(handle(0, false), handle(1, true)));

    private static RocketMQReceiptHandle handle(int index, boolean last) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "ns", "GID-lite")
                .message("LiteMainTopic", "lite-租户", "01ABC" + index)
                .receipt("0 1796068180036 10000 999 0 broker-a 0 " + index + " 4001", 1_796_068L)
                .delivery("broker-a", 1_796_068_180_036L, 2)
                .place(index, last)
                .bornTimestamp(1_796_000L)
                .part(0, 2)
                .extraReceipts(Collections.singletonList(new ExtraReceipt("01X" + index, "rx")))
                .build();
    }

    @Test
    void version1IsReadAndWrittenAsItAlwaysWas() throws IOException {
        byte[] golden = golden("pending-delivery-v1.bin");

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
                .hasMessageContaining("1 to " + PendingDeliverySerializer.VERSION);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE})
    void aCountThatCannotBeIsRefused(int count) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(16);
        out.writeByte(1);
        out.writeInt(count);

        assertThatThrownBy(() -> read(out.getCopyOfBuffer()))
                .hasMessage("Not pending receipt handles: " + count + " of them");
    }

    @Test
    void copyingBytesCopiesTheRecord() throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        SERIALIZER.copy(new DataInputDeserializer(write(RECORD)), out);

        assertThat(read(out.getCopyOfBuffer())).isEqualTo(RECORD);
        assertThat(SERIALIZER.copy(RECORD, SERIALIZER.createInstance())).isSameAs(RECORD);
    }

    @Test
    void theSnapshotRestoresTheSerializer() {
        TypeSerializerSnapshot<PendingDelivery> snapshot = SERIALIZER.snapshotConfiguration();

        assertThat(snapshot.restoreSerializer()).isEqualTo(SERIALIZER);
        assertThat(SERIALIZER.snapshotConfiguration().resolveSchemaCompatibility(snapshot))
                .matches(compatibility -> compatibility.isCompatibleAsIs());
    }

    private static byte[] write(PendingDelivery record) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(64);
        SERIALIZER.serialize(record, out);
        return out.getCopyOfBuffer();
    }

    private static PendingDelivery read(byte[] bytes) throws IOException {
        return SERIALIZER.deserialize(new DataInputDeserializer(bytes));
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in =
                PendingDeliverySerializerTest.class.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as("golden bytes " + name).isNotNull();
            return in.readAllBytes();
        }
    }
}
