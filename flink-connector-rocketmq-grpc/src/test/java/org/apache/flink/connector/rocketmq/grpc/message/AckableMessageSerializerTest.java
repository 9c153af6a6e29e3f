/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputViewStreamWrapper;
import org.junit.jupiter.api.Test;

class AckableMessageSerializerTest {

    private static final AckableMessageSerializer<String> STRINGS =
            new AckableMessageSerializer<>(StringSerializer.INSTANCE);

    @Test
    void handleAndValueSurvive() throws IOException {
        AckableMessage<String> message = new AckableMessage<>("payload", Handles.full());

        assertThat(read(STRINGS, write(STRINGS, message))).isEqualTo(message);
    }

    @Test
    void copyingFromViewToViewGivesTheSameBytes() throws IOException {
        byte[] bytes = write(STRINGS, new AckableMessage<>("payload", Handles.full()));
        DataOutputSerializer out = new DataOutputSerializer(256);

        STRINGS.copy(new DataInputDeserializer(bytes), out);

        assertThat(out.getCopyOfBuffer()).isEqualTo(bytes);
    }

    @Test
    void aMutableValueIsCopiedDeeply() {
        TypeSerializer<List<String>> lists =
                Types.LIST(Types.STRING).createSerializer(new SerializerConfigImpl());
        AckableMessageSerializer<List<String>> serializer = new AckableMessageSerializer<>(lists);
        AckableMessage<List<String>> message =
                new AckableMessage<>(Arrays.asList("a", "b"), Handles.plain());

        AckableMessage<List<String>> copy = serializer.copy(message);

        assertThat(serializer.isImmutableType()).isFalse();
        assertThat(copy).isEqualTo(message);
        assertThat(copy.getValue()).isNotSameAs(message.getValue());
    }

    @Test
    void version1IsWrittenAndReadAsTheGoldenBytesSay() throws IOException {
        byte[] golden = RocketMQReceiptHandleSerializerTest.golden("ackable-message-v1.bin");
        AckableMessage<String> message = new AckableMessage<>("payload", Handles.full());

        assertThat(read(STRINGS, golden)).isEqualTo(message);
        assertThat(write(STRINGS, message)).isEqualTo(golden);
    }

    @Test
    void theGoldenSnapshotRestoresASerializerThatReadsTheGoldenMessage() throws IOException {
        byte[] golden =
                RocketMQReceiptHandleSerializerTest.golden("ackable-message-snapshot-v1.bin");
        byte[] message = RocketMQReceiptHandleSerializerTest.golden("ackable-message-v1.bin");

        TypeSerializerSnapshot<AckableMessage<String>> restored = readSnapshot(golden);

        assertThat(restored.restoreSerializer()).isEqualTo(STRINGS);
        assertThat(read(restored.restoreSerializer(), message).getValue()).isEqualTo("payload");
        assertThat(writeSnapshot(STRINGS)).isEqualTo(golden);
        assertThat(STRINGS.snapshotConfiguration().resolveSchemaCompatibility(restored))
                .matches(c -> c.isCompatibleAsIs());
    }

    @Test
    void aValueTypeThatGainedAFieldIsCompatibleAfterMigration() throws IOException {
        // case 42, the value half
        AckableMessageSerializer<Order> now =
                new AckableMessageSerializer<>(
                        Types.POJO(Order.class).createSerializer(new SerializerConfigImpl()));
        TypeSerializerSnapshot<AckableMessage<Order>> before =
                readSnapshot(
                        RocketMQReceiptHandleSerializerTest.golden(
                                "ackable-order-snapshot-v1.bin"));
        byte[] old = RocketMQReceiptHandleSerializerTest.golden("ackable-order-v1.bin");

        assertThat(now.snapshotConfiguration().resolveSchemaCompatibility(before))
                .matches(c -> c.isCompatibleAfterMigration());
        AckableMessage<Order> read = read(before.restoreSerializer(), old);
        assertThat(read.getReceiptHandle()).isEqualTo(Handles.full());
        assertThat(read.getValue().id).isEqualTo("order-7");
        assertThat(read.getValue().amount).isEqualTo(42);
        assertThat(read.getValue().note).isNull();
        AckableMessage<Order> migrated = read(now, write(now, read));
        assertThat(migrated.getValue().id).isEqualTo("order-7");
        assertThat(migrated.getReceiptHandle()).isEqualTo(Handles.full());
    }

    @Test
    void aNamespaceOfNoneAndOneThatIsSetSurvive() throws IOException {
        for (String namespace : new String[] {"", "ns"}) {
            RocketMQReceiptHandle handle =
                    Handles.full().toBuilder().route("a:8081", namespace, "GID-lite").build();

            assertThat(
                            read(STRINGS, write(STRINGS, new AckableMessage<>("v", handle)))
                                    .getReceiptHandle()
                                    .getNamespace())
                    .isEqualTo(namespace);
        }
    }

    @Test
    void anotherValueSerializerIsIncompatible() throws IOException {
        TypeSerializerSnapshot<AckableMessage<Long>> now =
                new AckableMessageSerializer<>(LongSerializer.INSTANCE).snapshotConfiguration();

        TypeSerializerSnapshot<AckableMessage<Long>> before = readSnapshot(writeSnapshot(STRINGS));

        assertThat(now.resolveSchemaCompatibility(before)).matches(c -> c.isIncompatible());
    }

    @Test
    void flinkExtractsTheTypeByItself() {
        TypeInformation<AckableMessage<String>> extracted =
                TypeInformation.of(new TypeHint<AckableMessage<String>>() {});

        assertThat(extracted).isEqualTo(AckableMessageTypeInfo.of(Types.STRING));
        assertThat(TypeExtractor.createTypeInfo(RocketMQReceiptHandle.class))
                .isEqualTo(RocketMQReceiptHandleTypeInfo.INSTANCE);
    }

    @Test
    void kryoIsNeverUsed() {
        SerializerConfigImpl config = new SerializerConfigImpl();
        config.setGenericTypes(false);

        TypeSerializer<AckableMessage<String>> serializer =
                AckableMessageTypeInfo.of(Types.STRING).createSerializer(config);

        assertThat(serializer).isEqualTo(STRINGS);
        assertThat(RocketMQReceiptHandleTypeInfo.INSTANCE.createSerializer(config))
                .isSameAs(RocketMQReceiptHandleSerializer.INSTANCE);
    }

    @Test
    void thePayloadIsNotInToString() {
        assertThat(new AckableMessage<>("payload", Handles.plain()).toString())
                .contains("tenant-1")
                .doesNotContain("payload");
    }

    private static <T> byte[] write(TypeSerializer<T> serializer, T value) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(256);
        serializer.serialize(value, out);
        return out.getCopyOfBuffer();
    }

    private static <T> T read(TypeSerializer<T> serializer, byte[] bytes) throws IOException {
        return serializer.deserialize(new DataInputDeserializer(bytes));
    }

    private static byte[] writeSnapshot(TypeSerializer<?> serializer) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TypeSerializerSnapshot.writeVersionedSnapshot(
                new DataOutputViewStreamWrapper(out), serializer.snapshotConfiguration());
        return out.toByteArray();
    }

    private static <T> TypeSerializerSnapshot<T> readSnapshot(byte[] bytes) throws IOException {
        return TypeSerializerSnapshot.readVersionedSnapshot(
                new DataInputViewStreamWrapper(new ByteArrayInputStream(bytes)),
                AckableMessageSerializerTest.class.getClassLoader());
    }
}
