/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the deliveries visible again of which a closing reader emitted nothing: one deferral of 0
 * per delivery, which suspends, so that it concerns all of the delivery and costs no attempt.
 *
 * <p>The subscription is withdrawn first, or the server would give the deliveries to the reader
 * that closes. A release waits for a renewal of its delivery that is under way, which would
 * otherwise hide it again. All of it together takes at most {@link #LIMIT}; what has no answer by
 * then, or fails, comes back when its invisible duration ends. An interrupt ends the wait, and the
 * flag is kept.
 */
final class ReleaseOnClose {

    static final Duration LIMIT = Duration.ofMillis(1500);

    private static final Duration MAX_WITHDRAWAL = Duration.ofMillis(400);
    private static final Logger LOG = LoggerFactory.getLogger(ReleaseOnClose.class);

    private final SourceConfig config;
    private final WaitingDeliveries deliveries;
    private final SourceMetrics metrics;

    ReleaseOnClose(SourceConfig config, WaitingDeliveries deliveries, SourceMetrics metrics) {
        this.config = config;
        this.deliveries = deliveries;
        this.metrics = metrics;
    }

    /**
     * Releases over a consumer that is about to close: what waits, and what polls that were under
     * way still bring meanwhile.
     */
    void run(LiteSimpleConsumer consumer) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        List<QueuedDelivery> untouched = deliveries.takeUntouched();
        if (untouched.isEmpty()) {
            return;
        }
        await(consumer.withdraw(), System.nanoTime() + MAX_WITHDRAWAL.toNanos());
        untouched.addAll(deliveries.takeUntouched());
        AtomicInteger released = new AtomicInteger();
        int all = 0;
        while (!untouched.isEmpty()) {
            all += untouched.size();
            List<CompletableFuture<Void>> answers = new ArrayList<>(untouched.size());
            for (QueuedDelivery delivery : untouched) {
                answers.add(release(consumer, delivery, released));
            }
            await(CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0])), deadline);
            // polls that were under way may have been answered meanwhile
            untouched = deliveries.takeUntouched();
        }
        LOG.info(
                "released {} of {} deliveries of topic {} that were not emitted",
                released,
                all,
                config.mainTopic());
    }

    private CompletableFuture<Void> release(
            LiteSimpleConsumer consumer, QueuedDelivery delivery, AtomicInteger released) {
        List<CompletableFuture<Void>> renewals = new ArrayList<>();
        for (QueuedMessage queued : delivery.messages()) {
            queued.lease().freeze();
            renewals.add(queued.lease().settled());
        }
        return CompletableFuture.allOf(renewals.toArray(new CompletableFuture<?>[0]))
                .thenCompose(settled -> makeVisible(consumer, longestLease(delivery)))
                .handle(
                        (handle, error) -> {
                            int messages = delivery.messages().size();
                            if (error == null) {
                                released.incrementAndGet();
                                metrics.released(messages);
                            } else {
                                metrics.releaseFailures(messages);
                                LOG.debug("not released: {}", longestLease(delivery), error);
                            }
                            return null;
                        });
    }

    private CompletableFuture<String> makeVisible(
            LiteSimpleConsumer consumer, LiteMessage message) {
        AckEntry entry =
                new AckEntry(
                        config.mainTopic(),
                        message.liteTopic(),
                        message.messageId(),
                        message.receiptHandle());
        return consumer.changeInvisibleDuration(entry, Duration.ZERO, true);
    }

    /** Any handle of a delivery will do that has not ended; renewals may have missed some. */
    private static LiteMessage longestLease(QueuedDelivery delivery) {
        LiteMessage longest = null;
        for (QueuedMessage queued : delivery.messages()) {
            LiteMessage message = queued.lease().newest();
            if (longest == null || message.leaseEndMillis() > longest.leaseEndMillis()) {
                longest = message;
            }
        }
        return longest;
    }

    private static void await(CompletableFuture<?> future, long deadline) {
        try {
            future.get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("closing goes on without the server's answer", e);
        }
    }
}
