/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.io.IOException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.types.StringValue;

/**
 * Writes a {@link DeferralCount} in a versioned format.
 *
 * <p>Version 1, in this order: version (byte); consumer group, message id (strings as {@link
 * StringValue} writes them); count (int).
 */
@Internal
public final class DeferralCountSerializer extends TypeSerializerSingleton<DeferralCount> {

    static final DeferralCountSerializer INSTANCE = new DeferralCountSerializer();

    static final int VERSION = 1;

    private static final long serialVersionUID = 1L;

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public DeferralCount createInstance() {
        return new DeferralCount("", "", 1);
    }

    @Override
    public DeferralCount copy(DeferralCount from) {
        return from;
    }

    @Override
    public DeferralCount copy(DeferralCount from, DeferralCount reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(DeferralCount record, DataOutputView target) throws IOException {
        target.writeByte(VERSION);
        StringValue.writeString(record.consumerGroup(), target);
        StringValue.writeString(record.messageId(), target);
        target.writeInt(record.count());
    }

    @Override
    public DeferralCount deserialize(DataInputView source) throws IOException {
        int version = source.readByte();
        switch (version) {
            case 1:
                return readVersion1(source);
            default:
                throw new IOException(
                        "Deferral count of format version "
                                + version
                                + " (this connector reads version 1 to "
                                + VERSION
                                + "): the state was written by a newer connector.");
        }
    }

    @Override
    public DeferralCount deserialize(DeferralCount reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    private static DeferralCount readVersion1(DataInputView in) throws IOException {
        String group = StringValue.readString(in);
        String messageId = StringValue.readString(in);
        int count = in.readInt();
        if (group == null || messageId == null || count < 1) {
            throw new IOException(
                    "Not a deferral count: group "
                            + group
                            + ", message id "
                            + messageId
                            + ", count "
                            + count);
        }
        return new DeferralCount(group, messageId, count);
    }

    @Override
    public TypeSerializerSnapshot<DeferralCount> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The serializer has no configuration: each record says its version. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<DeferralCount> {
        /** Called by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
