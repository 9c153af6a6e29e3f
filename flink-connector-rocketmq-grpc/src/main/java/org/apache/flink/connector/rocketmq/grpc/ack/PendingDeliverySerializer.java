/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes a {@link PendingDelivery} in a versioned format.
 *
 * <p>Version 1, in this order: version (byte); number of handles (int), then each as {@link
 * RocketMQReceiptHandleSerializer} writes it.
 */
@Internal
public final class PendingDeliverySerializer extends TypeSerializerSingleton<PendingDelivery> {

    static final PendingDeliverySerializer INSTANCE = new PendingDeliverySerializer();

    static final int VERSION = 1;

    private static final int MAX_HANDLES = 10_000_000;
    private static final long serialVersionUID = 1L;

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public PendingDelivery createInstance() {
        return new PendingDelivery(Collections.emptyList());
    }

    @Override
    public PendingDelivery copy(PendingDelivery from) {
        return from;
    }

    @Override
    public PendingDelivery copy(PendingDelivery from, PendingDelivery reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(PendingDelivery delivery, DataOutputView target) throws IOException {
        target.writeByte(VERSION);
        target.writeInt(delivery.handles().size());
        for (RocketMQReceiptHandle handle : delivery.handles()) {
            RocketMQReceiptHandleSerializer.INSTANCE.serialize(handle, target);
        }
    }

    @Override
    public PendingDelivery deserialize(DataInputView source) throws IOException {
        int version = source.readByte();
        switch (version) {
            case 1:
                return readVersion1(source);
            default:
                throw new IOException(
                        "Pending receipt handles of format version "
                                + version
                                + " (this connector reads version 1 to "
                                + VERSION
                                + "): the state was written by a newer connector.");
        }
    }

    @Override
    public PendingDelivery deserialize(PendingDelivery reuse, DataInputView source)
            throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    private static PendingDelivery readVersion1(DataInputView in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MAX_HANDLES) {
            throw new IOException("Not pending receipt handles: " + count + " of them");
        }
        List<RocketMQReceiptHandle> handles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            handles.add(RocketMQReceiptHandleSerializer.INSTANCE.deserialize(in));
        }
        return new PendingDelivery(handles);
    }

    @Override
    public TypeSerializerSnapshot<PendingDelivery> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer has no configuration: each record says its version. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<PendingDelivery> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
