/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns a waiting message into records with a receipt each. Used by the task thread.
 *
 * <p>A message whose lease ended while it waited is not emitted, and neither is what follows it in
 * its delivery: the server delivers all of that again. What a closing reader gave back is not
 * emitted either, and nothing behind a message that is to be read again later.
 */
final class MessageEmitter<OUT>
        implements RecordEmitter<QueuedMessage, AckableMessage<OUT>, PlaceholderSplit> {

    private static final Logger LOG = LoggerFactory.getLogger(MessageEmitter.class);

    private final SourceConfig config;
    private final Deserializer<OUT> deserializer;
    private final SourceAcker acker;
    private final Postponement.Retimer retimer;
    private final LongConsumer busyUntil;
    private final SourceMetrics metrics;
    private final Clock clock;
    private final ReadFailures failures;

    private DeliveryEmission<OUT> delivery;
    private Postponement postponement;
    private boolean warnedOfLostLease;

    /**
     * @param busyUntil told until when messages of this reader may come back, milliseconds since
     *     the epoch
     */
    MessageEmitter(
            SourceConfig config,
            Deserializer<OUT> deserializer,
            SourceAcker acker,
            Postponement.Retimer retimer,
            LongConsumer busyUntil,
            SourceMetrics metrics,
            Clock clock) {
        this.config = config;
        this.deserializer = deserializer;
        this.acker = acker;
        this.retimer = retimer;
        this.busyUntil = busyUntil;
        this.metrics = metrics;
        this.clock = clock;
        this.failures = new ReadFailures(config.deserialization(), metrics);
    }

    @Override
    public void emitRecord(
            QueuedMessage queued, SourceOutput<AckableMessage<OUT>> output, PlaceholderSplit split)
            throws IOException {
        metrics.read(queued.bytes());
        if (queued.isFirst()) {
            delivery = new DeliveryEmission<>(config, busyUntil);
            postponement = null;
        }
        long now = clock.absoluteTimeMillis();
        if (postponement != null) {
            postponement.other(queued, now);
            return;
        }
        LiteMessage message = queued.message();
        if (delivery.isLost(now) || now >= message.leaseEndMillis()) {
            lose(queued, now);
            return;
        }
        List<OUT> records;
        try {
            records = deserializer.records(message, delivery.heldBack());
            failures.succeeded(message);
        } catch (IOException e) {
            if (failures.isRetried(message, e)) {
                postpone(queued, now, output);
                return;
            }
            records = Collections.emptyList();
        }
        delivery.add(queued, records, output);
        if (queued.isLast()) {
            List<QueuedMessage> unsettled = delivery.end(output);
            if (!unsettled.isEmpty()) {
                acker.ack(unsettled);
            }
        }
    }

    /** What stands before the message is emitted; it and what follows come back later. */
    private void postpone(
            QueuedMessage queued, long now, SourceOutput<AckableMessage<OUT>> output) {
        List<QueuedMessage> withoutRecord = delivery.end(output);
        postponement =
                new Postponement(
                        config, retimer, busyUntil, clock, metrics, !delivery.hasEmitted());
        busyUntil.accept(postponement.untilMillis());
        withoutRecord.forEach(message -> postponement.other(message, now));
        postponement.first(queued, now);
    }

    private void lose(QueuedMessage queued, long now) {
        int before = delivery.lose();
        busyUntil.accept(Math.max(now, queued.message().leaseEndMillis()));
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
}
