/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a delivery come back after a while, from the message on that could not be read.
 *
 * <p>If nothing of it was emitted, one deferral re-times the whole delivery. If something was, that
 * must keep its lease, because the source cannot know when it is acked: then the message that
 * failed and each one behind it are re-timed by themselves. The server delivers again when all of
 * them are visible and everything before them is acked, or at the end of the lease.
 *
 * <p>One object per delivery. Called by the task thread, answered on the client's I/O thread. The
 * room of a message is given back with the answer, which bounds the calls in flight. A call that
 * fails is counted; its message comes back when its invisible duration ends.
 */
final class Postponement {

    private static final Logger LOG = LoggerFactory.getLogger(Postponement.class);

    private final SourceConfig config;
    private final Retimer client;
    private final SourceMetrics metrics;
    private final long untilMillis;
    private final boolean whole;
    private final AtomicBoolean warned = new AtomicBoolean();

    /**
     * @param nowMillis when the delay begins
     * @param whole true if nothing of the delivery was emitted
     */
    Postponement(
            SourceConfig config,
            Retimer client,
            SourceMetrics metrics,
            long nowMillis,
            boolean whole) {
        this.config = config;
        this.client = client;
        this.metrics = metrics;
        this.untilMillis = nowMillis + config.deserialization().retryDelay().toMillis();
        this.whole = whole;
    }

    /** When it is to come back, milliseconds since the epoch. */
    long untilMillis() {
        return untilMillis;
    }

    /** The message that could not be read. */
    void first(QueuedMessage queued, long nowMillis) {
        LiteMessage message = queued.freeze();
        if (message == null) {
            queued.giveBackRoom();
            return;
        }
        retime(queued, message, nowMillis);
    }

    /** A message of the delivery that is not emitted either. */
    void other(QueuedMessage queued, long nowMillis) {
        LiteMessage message = queued.freeze();
        if (message == null || whole || message.leaseEndMillis() <= untilMillis) {
            queued.giveBackRoom();
            return;
        }
        retime(queued, message, nowMillis);
    }

    private void retime(QueuedMessage queued, LiteMessage message, long nowMillis) {
        AckEntry entry =
                new AckEntry(
                        config.mainTopic(),
                        message.liteTopic(),
                        message.messageId(),
                        message.receiptHandle());
        Duration delay = Duration.ofMillis(Math.max(0, untilMillis - nowMillis));
        client.changeInvisibleDuration(entry, delay, whole)
                .whenComplete(
                        (handle, failure) -> {
                            if (failure != null) {
                                failed(entry, failure);
                            }
                            queued.giveBackRoom();
                        });
    }

    private void failed(AckEntry entry, Throwable failure) {
        metrics.retryDeferralFailure();
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "deferral of a message that could not be read failed, it comes back when its"
                            + " invisible duration ends: {}: {}",
                    entry,
                    failure.toString());
        }
    }

    /** Re-times at the server; returns at once. */
    @FunctionalInterface
    interface Retimer {
        CompletableFuture<String> changeInvisibleDuration(
                AckEntry entry, Duration invisibleDuration, boolean suspend);
    }
}
