/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records apart that are held back before they are emitted: a schema may fill one and the
 * same instance again and again.
 *
 * <p>A record of a mutable type is copied by its serializer. Kryo would need what the job has
 * registered, which a reader is not told; such records, and those whose copy fails, are held as
 * they are, and a schema that hands the same instance again is refused rather than its records
 * mixed up. Used by the task thread.
 */
final class RecordCopier<T> {

    private static final Logger LOG = LoggerFactory.getLogger(RecordCopier.class);

    @Nullable private final TypeSerializer<T> serializer;
    private boolean copies;

    RecordCopier(TypeInformation<T> type) {
        serializer = withoutKryo(type);
        copies = serializer != null && !serializer.isImmutableType();
    }

    /** Null if Kryo is needed, for the type itself or for something in it. */
    @Nullable
    private static <T> TypeSerializer<T> withoutKryo(TypeInformation<T> type) {
        SerializerConfigImpl config = new SerializerConfigImpl();
        config.setGenericTypes(false);
        try {
            return type.createSerializer(config);
        } catch (UnsupportedOperationException e) {
            LOG.debug("records are held back as they are", e);
            return null;
        }
    }

    /**
     * The record, such that it stays as it is.
     *
     * @param before held back, of the message before it
     * @param same held back, of the same message
     * @throws IllegalStateException if it is held back already and cannot be copied
     */
    T kept(T item, List<T> before, List<T> same) {
        if (serializer != null && serializer.isImmutableType()) {
            return item;
        }
        if (copies) {
            try {
                return serializer.copy(item);
            } catch (RuntimeException e) {
                copies = false;
                LOG.warn("records cannot be copied and are held back as they are", e);
            }
        }
        if (isAmong(before, item) || isAmong(same, item)) {
            throw new IllegalStateException(
                    "the deserialization schema gave the same "
                            + item.getClass().getName()
                            + " twice, and it cannot be copied (expected: a new instance for each"
                            + " record)");
        }
        return item;
    }

    private static boolean isAmong(List<?> held, Object item) {
        return held.stream().anyMatch(other -> other == item);
    }
}
