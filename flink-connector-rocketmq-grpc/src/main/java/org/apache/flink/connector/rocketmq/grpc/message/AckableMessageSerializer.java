/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes an {@link AckableMessage}: the receipt handle in its versioned format, then the value as
 * its own serializer writes it. Not thread-safe where the value's serializer is not.
 *
 * @param <T> type of the value
 */
@Internal
public final class AckableMessageSerializer<T> extends TypeSerializer<AckableMessage<T>> {

    private static final long serialVersionUID = 1L;

    private final TypeSerializer<T> valueSerializer;

    /** A serializer over that of the value. */
    public AckableMessageSerializer(TypeSerializer<T> valueSerializer) {
        this.valueSerializer = Objects.requireNonNull(valueSerializer, "valueSerializer");
    }

    TypeSerializer<T> valueSerializer() {
        return valueSerializer;
    }

    @Override
    public boolean isImmutableType() {
        return valueSerializer.isImmutableType();
    }

    @Override
    public TypeSerializer<AckableMessage<T>> duplicate() {
        TypeSerializer<T> duplicate = valueSerializer.duplicate();
        return duplicate == valueSerializer ? this : new AckableMessageSerializer<>(duplicate);
    }

    @Override
    public AckableMessage<T> createInstance() {
        return new AckableMessage<>(
                valueSerializer.createInstance(),
                RocketMQReceiptHandleSerializer.INSTANCE.createInstance());
    }

    @Override
    public AckableMessage<T> copy(AckableMessage<T> from) {
        if (isImmutableType() || from.getValue() == null) {
            return from;
        }
        return from.withValue(valueSerializer.copy(from.getValue()));
    }

    @Override
    public AckableMessage<T> copy(AckableMessage<T> from, AckableMessage<T> reuse) {
        return copy(from);
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(AckableMessage<T> message, DataOutputView target) throws IOException {
        RocketMQReceiptHandleSerializer.INSTANCE.serialize(message.getReceiptHandle(), target);
        valueSerializer.serialize(message.getValue(), target);
    }

    @Override
    public AckableMessage<T> deserialize(DataInputView source) throws IOException {
        RocketMQReceiptHandle handle = RocketMQReceiptHandleSerializer.INSTANCE.deserialize(source);
        return new AckableMessage<>(valueSerializer.deserialize(source), handle);
    }

    @Override
    public AckableMessage<T> deserialize(AckableMessage<T> reuse, DataInputView source)
            throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        RocketMQReceiptHandleSerializer.INSTANCE.copy(source, target);
        valueSerializer.copy(source, target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AckableMessageSerializer
                && valueSerializer.equals(((AckableMessageSerializer<?>) other).valueSerializer);
    }

    @Override
    public int hashCode() {
        return 31 + valueSerializer.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<AckableMessage<T>> snapshotConfiguration() {
        return new AckableMessageSerializerSnapshot<>(this);
    }
}
