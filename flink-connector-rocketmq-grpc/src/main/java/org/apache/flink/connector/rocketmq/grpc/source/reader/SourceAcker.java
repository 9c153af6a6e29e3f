/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Acks deliveries that yielded no record at all, so that nobody downstream can.
 *
 * <p>Called by the task thread, answered on the client's I/O thread. The room of the messages is
 * given back with the answer, which bounds the acks in flight. A failed ack is counted and logged;
 * its messages come back when their invisible duration ends. What comes then, or after an ack that
 * the server took, is told before the room is given back, so that a bounded reader waits for it.
 */
final class SourceAcker {

    private static final Logger LOG = LoggerFactory.getLogger(SourceAcker.class);

    private final SourceConfig config;
    private final Function<List<AckEntry>, CompletableFuture<List<AckResult>>> client;
    private final LongConsumer busyUntil;
    private final Clock clock;
    private final SourceMetrics metrics;

    /**
     * @param client sends one ack request
     * @param busyUntil told until when messages of this reader may come back, milliseconds since
     *     the epoch
     */
    SourceAcker(
            SourceConfig config,
            Function<List<AckEntry>, CompletableFuture<List<AckResult>>> client,
            LongConsumer busyUntil,
            Clock clock,
            SourceMetrics metrics) {
        this.config = config;
        this.client = client;
        this.busyUntil = busyUntil;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Acks the messages of one delivery, all of them, unless it was released. */
    void ack(List<QueuedMessage> delivery) {
        List<AckEntry> entries = new ArrayList<>(delivery.size());
        long leaseEnd = 0;
        for (QueuedMessage queued : delivery) {
            LiteMessage message = queued.freeze();
            if (message == null) {
                delivery.forEach(QueuedMessage::giveBackRoom);
                return;
            }
            leaseEnd = Math.max(leaseEnd, message.leaseEndMillis());
            entries.add(
                    new AckEntry(
                            config.mainTopic(),
                            message.liteTopic(),
                            message.messageId(),
                            message.receiptHandle()));
        }
        long comesBack = leaseEnd;
        client.apply(entries)
                .whenComplete(
                        (results, failure) -> {
                            boolean gone = count(entries, results, failure);
                            long now = clock.absoluteTimeMillis();
                            busyUntil.accept(gone ? now : Math.max(now, comesBack));
                            delivery.forEach(QueuedMessage::giveBackRoom);
                        });
    }

    /** Counts what became of the acks; true if the server took all of them. */
    private boolean count(List<AckEntry> entries, List<AckResult> results, Throwable failure) {
        if (failure != null) {
            failed(entries.size(), entries.get(0), failure);
            return false;
        }
        List<AckResult> refused =
                results.stream().filter(result -> !result.isOk()).collect(Collectors.toList());
        metrics.sourceAcks(results.size() - refused.size());
        if (!refused.isEmpty()) {
            AckResult first = refused.get(0);
            failed(refused.size(), first.entry(), first.failure().orElse(null));
        }
        return refused.isEmpty();
    }

    /** One line for a request, however many of its messages it concerns. */
    private void failed(int messages, AckEntry first, Throwable failure) {
        metrics.sourceAckFailures(messages);
        LOG.warn(
                "ack of {} messages without a record failed, they come back; first {}: {}",
                messages,
                first,
                String.valueOf(failure));
    }
}
