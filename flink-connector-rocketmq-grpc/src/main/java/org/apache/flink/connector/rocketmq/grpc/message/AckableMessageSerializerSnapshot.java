/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.CompositeTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Snapshot of an {@link AckableMessageSerializer}: compatible exactly when the value's serializer
 * is.
 *
 * <p>Version 1: the nested snapshots of the receipt handle's and the value's serializer.
 *
 * @param <T> type of the value
 */
@Internal
public final class AckableMessageSerializerSnapshot<T>
        extends CompositeTypeSerializerSnapshot<AckableMessage<T>, AckableMessageSerializer<T>> {

    private static final int VERSION = 1;

    /** Called by Flink before it reads a snapshot. */
    public AckableMessageSerializerSnapshot() {}

    AckableMessageSerializerSnapshot(AckableMessageSerializer<T> serializer) {
        super(serializer);
    }

    @Override
    protected int getCurrentOuterSnapshotVersion() {
        return VERSION;
    }

    @Override
    protected TypeSerializer<?>[] getNestedSerializers(AckableMessageSerializer<T> outer) {
        return new TypeSerializer<?>[] {
            RocketMQReceiptHandleSerializer.INSTANCE, outer.valueSerializer()
        };
    }

    @Override
    protected AckableMessageSerializer<T> createOuterSerializerWithNestedSerializers(
            TypeSerializer<?>[] nested) {
        @SuppressWarnings("unchecked")
        TypeSerializer<T> value = (TypeSerializer<T>) nested[1];
        return new AckableMessageSerializer<>(value);
    }
}
