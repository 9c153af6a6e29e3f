/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.deserializer;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.util.Collector;

/**
 * Turns a message into records: none, one or many.
 *
 * <p>A message without a record is settled by the source, together with the next or the previous
 * message of its delivery; null is no record. A message with many records is settled when all of
 * them are. What an exception does is the job's choice, by default it fails the job; records
 * collected before it are dropped. Records of a mutable type are copied, so a schema may fill the
 * same instance again; one of a type that only Kryo knows may not. Called by the task thread only.
 *
 * @param <OUT> type of the records
 */
@PublicEvolving
public interface RocketMQDeserializationSchema<OUT> extends Serializable, ResultTypeQueryable<OUT> {

    /**
     * Called once, before the first message.
     *
     * @param context metric group and user class loader
     */
    default void open(DeserializationSchema.InitializationContext context) throws Exception {}

    /**
     * Reads one message.
     *
     * @param message body and metadata; valid after the call too
     * @param out takes the records; only during the call
     * @throws IOException if the message cannot be read
     */
    void deserialize(RocketMQMessageView message, Collector<OUT> out) throws IOException;

    /**
     * Reads the body only.
     *
     * @param schema reads the bytes of the body; where it returns null the message has no record
     * @param <OUT> type of the records
     */
    static <OUT> RocketMQDeserializationSchema<OUT> valueOnly(DeserializationSchema<OUT> schema) {
        return new ValueOnlyDeserializationSchema<>(schema);
    }
}
