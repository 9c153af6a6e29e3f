/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A consumer that polls each broker all the time and acks what comes, as a reader would. */
final class PollingLoop implements AutoCloseable {

    private final LiteSimpleConsumer consumer;
    private final Function<List<AckEntry>, CompletableFuture<List<AckResult>>> acks;
    private final Map<String, Long> arrivals = new ConcurrentHashMap<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    /**
     * @param acks acks everything that comes
     */
    PollingLoop(
            LiteSimpleConsumer consumer,
            Function<List<AckEntry>, CompletableFuture<List<AckResult>>> acks) {
        this.consumer = consumer;
        this.acks = acks;
    }

    /** Starts the consumer and one poll at each broker. */
    void start() throws Exception {
        consumer.start().get(30, TimeUnit.SECONDS);
        for (String broker : consumer.brokers()) {
            poll(broker, new Backoff());
        }
    }

    /** Whether a message has arrived. */
    boolean has(String messageId) {
        return arrivals.containsKey(messageId);
    }

    /** When a message arrived, on the clock of {@link System#nanoTime}. */
    long arrivalNanos(String messageId) {
        return arrivals.get(messageId);
    }

    /** What polls and acks failed with. */
    List<Throwable> failures() {
        return new ArrayList<>(failures);
    }

    @Override
    public void close() {
        closed = true;
        consumer.close();
    }

    private void poll(String broker, Backoff backoff) {
        consumer.receive(broker, 32)
                .whenComplete(
                        (messages, error) -> {
                            if (closed) {
                                return;
                            }
                            if (error == null) {
                                backoff.reset();
                                take(messages);
                                poll(broker, backoff);
                            } else {
                                failures.add(error);
                                pollLater(broker, backoff);
                            }
                        });
    }

    private void pollLater(String broker, Backoff backoff) {
        Duration delay = backoff.next();
        CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> poll(broker, backoff));
    }

    private void take(List<LiteMessage> messages) {
        List<AckEntry> entries = new ArrayList<>();
        for (LiteMessage message : messages) {
            arrivals.putIfAbsent(message.messageId(), System.nanoTime());
            entries.add(
                    new AckEntry(
                            message.topic(),
                            message.liteTopic(),
                            message.messageId(),
                            message.receiptHandle()));
        }
        if (!entries.isEmpty()) {
            acks.apply(entries)
                    .whenComplete(
                            (results, error) -> {
                                if (error != null) {
                                    failures.add(error);
                                }
                            });
        }
    }
}
