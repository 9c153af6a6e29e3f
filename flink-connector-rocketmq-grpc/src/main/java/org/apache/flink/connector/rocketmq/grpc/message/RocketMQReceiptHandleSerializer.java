/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/**
 * Writes a {@link RocketMQReceiptHandle} in the versioned wire format.
 *
 * <p>Version 1, in this order: version (byte); endpoint, namespace, consumer group, topic, lite
 * topic, message id, receipt handle, broker (strings as {@link StringValue} writes them); delivery
 * attempt (int), delivery id (long), index in delivery (int), flags (byte; bit 0 = last in
 * delivery), born timestamp (long), lease end (long), part (int), parts (int); number of extra
 * receipts (int), then message id and receipt handle of each.
 */
@Internal
public final class RocketMQReceiptHandleSerializer
        extends TypeSerializerSingleton<RocketMQReceiptHandle> {

    /** The only instance; it has no state. */
    public static final RocketMQReceiptHandleSerializer INSTANCE =
            new RocketMQReceiptHandleSerializer();

    static final int VERSION = 1;

    /** More extra receipts than a delivery has messages: the bytes are not a handle. */
    private static final int MAX_EXTRA_RECEIPTS = 1024;

    /** Characters of a field; the longest of a server are some hundreds. */
    private static final int MAX_STRING = 1 << 20;

    private static final long serialVersionUID = 1L;
    private static final int FLAG_LAST = 1;

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public RocketMQReceiptHandle createInstance() {
        return RocketMQReceiptHandle.builder()
                .route("", "", "")
                .message("", "", "")
                .receipt("", 0L)
                .build();
    }

    @Override
    public RocketMQReceiptHandle copy(RocketMQReceiptHandle from) {
        return from;
    }

    @Override
    public RocketMQReceiptHandle copy(RocketMQReceiptHandle from, RocketMQReceiptHandle reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(RocketMQReceiptHandle handle, DataOutputView target) throws IOException {
        target.writeByte(VERSION);
        StringValue.writeString(handle.getEndpoint(), target);
        StringValue.writeString(handle.getNamespace(), target);
        StringValue.writeString(handle.getConsumerGroup(), target);
        StringValue.writeString(handle.getTopic(), target);
        StringValue.writeString(handle.getLiteTopic(), target);
        StringValue.writeString(handle.getMessageId(), target);
        StringValue.writeString(handle.getReceiptHandle(), target);
        StringValue.writeString(handle.getBroker(), target);
        target.writeInt(handle.getDeliveryAttempt());
        target.writeLong(handle.getDeliveryId());
        target.writeInt(handle.getIndexInDelivery());
        target.writeByte(handle.isLastInDelivery() ? FLAG_LAST : 0);
        target.writeLong(handle.getBornTimestamp());
        target.writeLong(handle.getLeaseEndMillis());
        target.writeInt(handle.getPart());
        target.writeInt(handle.getParts());
        target.writeInt(handle.getExtraReceipts().size());
        for (ExtraReceipt extra : handle.getExtraReceipts()) {
            StringValue.writeString(extra.getMessageId(), target);
            StringValue.writeString(extra.getReceiptHandle(), target);
        }
    }

    @Override
    public RocketMQReceiptHandle deserialize(DataInputView source) throws IOException {
        int version = source.readByte();
        switch (version) {
            case 1:
                return readVersion1(source);
            default:
                throw new IOException(
                        "Receipt handle of wire format version "
                                + version
                                + " (this connector reads version 1 to "
                                + VERSION
                                + "): the state or stream was written by a newer connector.");
        }
    }

    @Override
    public RocketMQReceiptHandle deserialize(RocketMQReceiptHandle reuse, DataInputView source)
            throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    private static RocketMQReceiptHandle readVersion1(DataInputView in) throws IOException {
        String endpoint = readString(in);
        String namespace = readString(in);
        String group = readString(in);
        String topic = readString(in);
        String liteTopic = readString(in);
        String messageId = readString(in);
        String receiptHandle = readString(in);
        String broker = readString(in);
        int attempt = in.readInt();
        long deliveryId = in.readLong();
        int index = in.readInt();
        boolean last = (in.readByte() & FLAG_LAST) != 0;
        long born = in.readLong();
        long leaseEnd = in.readLong();
        int part = in.readInt();
        int parts = in.readInt();
        List<ExtraReceipt> extras = readExtras(in);
        try {
            return RocketMQReceiptHandle.builder()
                    .route(endpoint, namespace, group)
                    .message(topic, liteTopic, messageId)
                    .receipt(receiptHandle, leaseEnd)
                    .delivery(broker, deliveryId, attempt)
                    .place(index, last)
                    .bornTimestamp(born)
                    .part(part, parts)
                    .extraReceipts(extras)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new IOException("Not a receipt handle: " + e.getMessage(), e);
        }
    }

    private static List<ExtraReceipt> readExtras(DataInputView in) throws IOException {
        int count = in.readInt();
        if (count == 0) {
            return Collections.emptyList();
        }
        if (count < 0 || count > MAX_EXTRA_RECEIPTS) {
            throw new IOException("Not a receipt handle: " + count + " extra receipts");
        }
        List<ExtraReceipt> extras = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            extras.add(new ExtraReceipt(readString(in), readString(in)));
        }
        return extras;
    }

    /**
     * What {@link StringValue#writeString} wrote, with a bound: a damaged length must not allocate
     * gigabytes.
     */
    private static String readString(DataInputView in) throws IOException {
        int lengthPlusOne = readVariableLength(in);
        if (lengthPlusOne == 0) {
            throw new IOException("Not a receipt handle: a field is null");
        }
        int length = lengthPlusOne - 1;
        if (length < 0 || length > MAX_STRING) {
            throw new IOException(
                    "Not a receipt handle: a field of "
                            + length
                            + " characters (at most "
                            + MAX_STRING
                            + ")");
        }
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = (char) readVariableLength(in);
        }
        return new String(text);
    }

    /** Seven bits per byte, the lowest first; the highest bit says that more follow. */
    private static int readVariableLength(DataInputView in) throws IOException {
        int value = 0;
        int shift = 0;
        int next = in.readUnsignedByte();
        while (next >= 0x80) {
            value |= (next & 0x7f) << shift;
            shift += 7;
            if (shift > 28) {
                throw new IOException("Not a receipt handle: a number of more than 32 bits");
            }
            next = in.readUnsignedByte();
        }
        return value | next << shift;
    }

    @Override
    public TypeSerializerSnapshot<RocketMQReceiptHandle> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer has no configuration: each record says its version. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<RocketMQReceiptHandle> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
