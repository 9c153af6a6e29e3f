/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.LiteMessageView;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.Collector;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a waiting message into records with a receipt each. Used by the task thread.
 *
 * <p>A message whose lease ended while it waited is not emitted, and neither is what follows it in
 * its delivery: the server delivers all of that again. What a closing reader gave back is not
 * emitted either.
 */
final class MessageEmitter<OUT>
        implements RecordEmitter<QueuedMessage, AckableMessage<OUT>, PlaceholderSplit> {

    private static final Logger LOG = LoggerFactory.getLogger(MessageEmitter.class);

    private final SourceConfig config;
    private final RocketMQDeserializationSchema<OUT> schema;
    private final SourceAcker acker;
    private final SourceMetrics metrics;
    private final Clock clock;

    private DeliveryEmission<OUT> delivery;
    private boolean warnedOfLostLease;

    MessageEmitter(
            SourceConfig config,
            RocketMQDeserializationSchema<OUT> schema,
            SourceAcker acker,
            SourceMetrics metrics,
            Clock clock) {
        this.config = config;
        this.schema = schema;
        this.acker = acker;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public void emitRecord(
            QueuedMessage queued, SourceOutput<AckableMessage<OUT>> output, PlaceholderSplit split)
            throws IOException {
        if (queued.isFirst()) {
            delivery = new DeliveryEmission<>(config);
        }
        LiteMessage message = queued.message();
        long now = clock.absoluteTimeMillis();
        if (delivery.isLost(now) || now >= message.leaseEndMillis()) {
            lose(queued);
            return;
        }
        delivery.add(queued, recordsOf(message), output);
        if (queued.isLast()) {
            List<QueuedMessage> unsettled = delivery.end(output);
            if (!unsettled.isEmpty()) {
                acker.ack(unsettled);
            }
        }
    }

    private void lose(QueuedMessage queued) {
        int before = delivery.lose();
        boolean released = !queued.delivery().leave();
        queued.giveBackRoom();
        if (released) {
            return;
        }
        for (int i = 0; i <= before; i++) {
            metrics.expiredBeforeEmission();
        }
        if (warnedOfLostLease) {
            LOG.debug("lease ended before emission: {}", queued.message());
            return;
        }
        warnedOfLostLease = true;
        LOG.warn(
                "lease ended before emission, the message comes back: {}. Downstream takes longer"
                        + " than the invisible duration of {} s; further cases are only counted"
                        + " (expiredBeforeEmission)",
                queued.message(),
                config.invisibleDuration().getSeconds());
    }

    private List<OUT> recordsOf(LiteMessage message) throws IOException {
        if (!message.isBodyIntact()) {
            metrics.deserializationError();
            throw new IOException(named("body does not match its digest", message));
        }
        ListCollector<OUT> records = new ListCollector<>();
        try {
            schema.deserialize(new LiteMessageView(config.mainTopic(), message), records);
        } catch (IOException | RuntimeException e) {
            metrics.deserializationError();
            throw new IOException(named("deserialization failed", message), e);
        }
        return records.list;
    }

    private String named(String what, LiteMessage message) {
        return what
                + ": topic "
                + config.mainTopic()
                + ", lite topic "
                + message.liteTopic()
                + ", message id "
                + message.messageId();
    }

    /** Gathers the records of one message. */
    private static final class ListCollector<T> implements Collector<T> {
        private final List<T> list = new ArrayList<>(1);

        @Override
        public void collect(T item) {
            list.add(item);
        }

        @Override
        public void close() {
            // holds nothing open
        }
    }
}
