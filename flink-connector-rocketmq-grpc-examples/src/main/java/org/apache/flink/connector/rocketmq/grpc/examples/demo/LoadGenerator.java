/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;

/**
 * Sends a {@link LoadSchedule} through a producer, many sends in flight.
 *
 * <p>One thread, {@code rocketmq-demo-load}, paces and sends; sends complete on the producer's
 * thread, which only counts, gives the permit back or queues the message for another try. A message
 * that fails {@value #MAX_TRIES} times ends the load. The producer belongs to the caller.
 */
final class LoadGenerator implements AutoCloseable {

    private static final int MAX_IN_FLIGHT = 256;
    private static final int MAX_TRIES = 5;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(200);
    private static final Duration LAST_SENDS = Duration.ofSeconds(20);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    private final LiteProducer producer;
    private final LoadSchedule schedule;
    private final Thread thread;
    private final Semaphore permits = new Semaphore(MAX_IN_FLIGHT);
    private final ConcurrentLinkedQueue<Attempt> failed = new ConcurrentLinkedQueue<>();
    private final SequenceSet sent = new SequenceSet();
    private final LongAdder repeated = new LongAdder();
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    LoadGenerator(LiteProducer producer, LoadSchedule schedule) {
        this.producer = producer;
        this.schedule = schedule;
        this.thread = new Thread(this::run, "rocketmq-demo-load");
        this.thread.setDaemon(true);
    }

    /** Starts sending. */
    void start() {
        thread.start();
    }

    /** Completes when the broker has stored every message; fails if it did not store one. */
    CompletableFuture<Void> done() {
        return done;
    }

    /** The messages the broker said it stored. */
    SequenceSet sent() {
        return sent;
    }

    /** Sends that were tried again: such a message may be stored twice. */
    long repeatedCount() {
        return repeated.sum();
    }

    /** Stops the load where it is and waits for its thread. */
    @Override
    public void close() {
        done.completeExceptionally(new IllegalStateException("the load was stopped"));
        thread.interrupt();
        try {
            thread.join(CLOSE_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            sendSchedule();
            settleRest();
            done.complete(null);
        } catch (InterruptedException e) {
            done.completeExceptionally(e);
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
    }

    private void sendSchedule() throws InterruptedException {
        long start = System.nanoTime();
        for (long due = schedule.nextDueNanos(); due >= 0; due = schedule.nextDueNanos()) {
            TimeUnit.NANOSECONDS.sleep(start + due - System.nanoTime());
            if (done.isDone()) {
                return;
            }
            repeatFailed();
            send(new Attempt(schedule.take(start), 1));
        }
    }

    private void settleRest() throws InterruptedException {
        long deadline = System.nanoTime() + LAST_SENDS.toNanos();
        while (!done.isDone() && !isQuiet()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "the last sends were not answered within " + LAST_SENDS.toSeconds() + " s");
            }
            repeatFailed();
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** All permits back and nothing to repeat: a failed send is queued before its permit is. */
    private boolean isQuiet() {
        return permits.availablePermits() == MAX_IN_FLIGHT && failed.isEmpty();
    }

    private void repeatFailed() throws InterruptedException {
        if (failed.isEmpty()) {
            return;
        }
        TimeUnit.NANOSECONDS.sleep(RETRY_PAUSE.toNanos());
        for (Attempt attempt = failed.poll(); attempt != null; attempt = failed.poll()) {
            repeated.increment();
            send(attempt);
        }
    }

    private void send(Attempt attempt) throws InterruptedException {
        permits.acquire();
        DemoMessage message = attempt.due.message();
        producer.send(LiteOutgoingMessage.of(attempt.due.liteTopic(), message.toBytes()))
                .whenComplete(
                        (receipt, failure) -> {
                            if (failure == null) {
                                sent.add(message.getSequence());
                            } else if (attempt.number < MAX_TRIES) {
                                failed.add(new Attempt(attempt.due, attempt.number + 1));
                            } else {
                                done.completeExceptionally(failure);
                            }
                            permits.release();
                        });
    }

    /** One try to send a message. Immutable. */
    private static final class Attempt {
        private final LoadSchedule.Due due;
        private final int number;

        Attempt(LoadSchedule.Due due, int number) {
            this.due = due;
            this.number = number;
        }
    }
}
