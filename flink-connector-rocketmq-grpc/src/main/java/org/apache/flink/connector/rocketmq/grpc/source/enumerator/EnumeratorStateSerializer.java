/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.enumerator;

import java.io.IOException;
import org.apache.flink.annotation.Internal;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Writes an {@link EnumeratorState}.
 *
 * <p>Version 1: no bytes.
 */
@Internal
public final class EnumeratorStateSerializer implements SimpleVersionedSerializer<EnumeratorState> {

    private static final int VERSION_1 = 1;

    @Override
    public int getVersion() {
        return VERSION_1;
    }

    @Override
    public byte[] serialize(EnumeratorState state) {
        return new byte[0];
    }

    @Override
    public EnumeratorState deserialize(int version, byte[] serialized) throws IOException {
        switch (version) {
            case VERSION_1:
                return readVersion1(serialized);
            default:
                throw new IOException(
                        "enumerator state version "
                                + version
                                + " (expected: "
                                + VERSION_1
                                + " or less)");
        }
    }

    private static EnumeratorState readVersion1(byte[] serialized) throws IOException {
        if (serialized.length != 0) {
            throw new IOException(
                    "enumerator state of " + serialized.length + " bytes (expected: 0)");
        }
        return EnumeratorState.EMPTY;
    }
}
