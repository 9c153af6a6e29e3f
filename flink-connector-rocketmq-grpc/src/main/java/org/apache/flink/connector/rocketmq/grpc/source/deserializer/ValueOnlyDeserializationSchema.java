/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.deserializer;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.util.Collector;

/** Reads the body with a plain {@link DeserializationSchema} and ignores everything else. */
final class ValueOnlyDeserializationSchema<OUT> implements RocketMQDeserializationSchema<OUT> {

    private static final long serialVersionUID = 1L;

    private final DeserializationSchema<OUT> schema;

    ValueOnlyDeserializationSchema(DeserializationSchema<OUT> schema) {
        this.schema = Objects.requireNonNull(schema, "schema");
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) throws Exception {
        schema.open(context);
    }

    @Override
    public void deserialize(RocketMQMessageView message, Collector<OUT> out) throws IOException {
        schema.deserialize(message.getBody(), out);
    }

    @Override
    public TypeInformation<OUT> getProducedType() {
        return schema.getProducedType();
    }
}
