/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.split;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes a {@link PlaceholderSplit}.
 *
 * <p>Version 1: the subtask index, 4 bytes, big-endian.
 */
@Internal
public final class PlaceholderSplitSerializer
        implements SimpleVersionedSerializer<PlaceholderSplit> {

    private static final int VERSION_1 = 1;

    @Override
    public int getVersion() {
        return VERSION_1;
    }

    @Override
    public byte[] serialize(PlaceholderSplit split) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(split.subtask()).array();
    }

    @Override
    public PlaceholderSplit deserialize(int version, byte[] serialized) throws IOException {
        switch (version) {
            case VERSION_1:
                return readVersion1(serialized);
            default:
                throw new IOException(
                        "split version " + version + " (expected: " + VERSION_1 + " or less)");
        }
    }

    private static PlaceholderSplit readVersion1(byte[] serialized) throws IOException {
        if (serialized.length != Integer.BYTES) {
            throw new IOException(
                    "split of " + serialized.length + " bytes (expected: " + Integer.BYTES + ")");
        }
        return new PlaceholderSplit(ByteBuffer.wrap(serialized).getInt());
    }
}
