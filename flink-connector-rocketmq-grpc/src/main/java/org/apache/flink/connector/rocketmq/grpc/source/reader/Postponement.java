/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.Clock;
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
 * fails is counted; its message comes back when its invisible duration ends, and if the call was to
 * re-time the delivery, all of it when the last of them does. Until when it may come back is told
 * before the room is given back, so that a bounded reader waits for it. One lock guards what the
 * two threads know of leases and failures.
 */
final class Postponement {

    private static final Logger LOG = LoggerFactory.getLogger(Postponement.class);

    private final SourceConfig config;
    private final Retimer client;
    private final LongConsumer busyUntil;
    private final Clock clock;
    private final SourceMetrics metrics;
    private final long untilMillis;
    private final boolean whole;
    private final AtomicBoolean warned = new AtomicBoolean();

    private long lastLeaseMillis;
    private boolean leftToLeases;

    /**
     * The delay begins now.
     *
     * @param busyUntil told until when the messages may come back, milliseconds since the epoch
     * @param whole true if nothing of the delivery was emitted
     */
    Postponement(
            SourceConfig config,
            Retimer client,
            LongConsumer busyUntil,
            Clock clock,
            SourceMetrics metrics,
            boolean whole) {
        this.config = config;
        this.client = client;
        this.busyUntil = busyUntil;
        this.clock = clock;
        this.metrics = metrics;
        this.untilMillis =
                clock.absoluteTimeMillis() + config.deserialization().retryDelay().toMillis();
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
        noteLease(message.leaseEndMillis());
        retime(queued, message, nowMillis);
    }

    private synchronized void noteLease(long leaseEndMillis) {
        lastLeaseMillis = Math.max(lastLeaseMillis, leaseEndMillis);
        if (leftToLeases) {
            busyUntil.accept(lastLeaseMillis);
        }
    }

    /** A message of the delivery that is not emitted either. */
    void other(QueuedMessage queued, long nowMillis) {
        LiteMessage message = queued.freeze();
        if (message == null) {
            queued.giveBackRoom();
            return;
        }
        noteLease(message.leaseEndMillis());
        if (whole || message.leaseEndMillis() <= untilMillis) {
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
                            } else {
                                // at the server the delay began a little later
                                busyUntil.accept(clock.absoluteTimeMillis() + delay.toMillis());
                            }
                            queued.giveBackRoom();
                        });
    }

    private void failed(AckEntry entry, Throwable failure) {
        metrics.retryDeferralFailure();
        leaveToLeases();
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "deferral of a message that could not be read failed, it comes back when its"
                            + " invisible duration ends: {}: {}",
                    entry,
                    failure.toString());
        }
    }

    private synchronized void leaveToLeases() {
        leftToLeases = true;
        busyUntil.accept(Math.max(clock.absoluteTimeMillis(), lastLeaseMillis));
    }

    /** Re-times at the server; returns at once. */
    @FunctionalInterface
    interface Retimer {
        CompletableFuture<String> changeInvisibleDuration(
                AckEntry entry, Duration invisibleDuration, boolean suspend);
    }
}
