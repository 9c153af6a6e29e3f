/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.LiteMessageView;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/**
 * Reads the records of a message with the user's schema. Whatever is wrong with the message or the
 * schema becomes one exception that names the message and never shows its body. Used by the task
 * thread.
 */
final class Deserializer<OUT> {

    private final String mainTopic;
    private final RocketMQDeserializationSchema<OUT> schema;
    private final RecordCopier<OUT> copier;

    /**
     * @param schema opened already
     */
    Deserializer(String mainTopic, RocketMQDeserializationSchema<OUT> schema) {
        this.mainTopic = mainTopic;
        this.schema = schema;
        this.copier = new RecordCopier<>(schema.getProducedType());
    }

    /**
     * The records of a message, which stay as they are.
     *
     * @param heldBack records of the message before it that are not emitted yet
     * @throws IOException the message cannot be read
     * @throws IllegalStateException a record was given twice, so what is held back is spoilt too:
     *     no policy for messages that cannot be read may go on
     */
    List<OUT> records(LiteMessage message, List<OUT> heldBack) throws IOException {
        if (!message.isBodyIntact()) {
            throw new IOException(named("body does not match its digest", message));
        }
        Gathering records = new Gathering(heldBack);
        try {
            schema.deserialize(new LiteMessageView(mainTopic, message), records);
        } catch (IOException | RuntimeException e) {
            if (records.refusal == null) {
                throw new IOException(named("deserialization failed", message), e);
            }
        }
        if (records.refusal != null) {
            throw new IllegalStateException(
                    named("deserialization failed", message), records.refusal);
        }
        return records.list;
    }

    private String named(String what, LiteMessage message) {
        return what
                + ": topic "
                + mainTopic
                + ", lite topic "
                + message.liteTopic()
                + ", message id "
                + message.messageId();
    }

    /** Gathers the records of one message; null is no record. */
    private final class Gathering implements Collector<OUT> {
        private final List<OUT> heldBack;
        private final List<OUT> list = new ArrayList<>(1);
        private IllegalStateException refusal;

        private Gathering(List<OUT> heldBack) {
            this.heldBack = heldBack;
        }

        @Override
        public void collect(OUT item) {
            if (item != null) {
                try {
                    list.add(copier.kept(item, heldBack, list));
                } catch (IllegalStateException e) {
                    refusal = e;
                    throw e;
                }
            }
        }

        @Override
        public void close() {
            // holds nothing open
        }
    }
}
