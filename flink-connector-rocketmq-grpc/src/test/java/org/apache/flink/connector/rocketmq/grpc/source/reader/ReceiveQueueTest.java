/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ReceiveQueueTest {

    private final ReceiveQueue queue = new ReceiveQueue();

    @Test
    void takesEverythingThatWaitsInOrder() throws Exception {
        queue.add(queued(0, 3));
        queue.add(queued(3, 2));

        assertThat(offsets(queue.take())).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void wakeUpBeforeTakeIsNotLost() throws Exception {
        queue.wakeUp();

        assertThat(queue.take()).isEmpty();
    }

    @Test
    void wakeUpsThatComeEarlyEndOneTakeOnly() throws Exception {
        queue.wakeUp();
        queue.wakeUp();
        queue.take();
        CompletableFuture<List<QueuedMessage>> second = takeOnThread();

        assertThat(second).isNotDone();
        queue.add(queued(9, 1));
        assertThat(offsets(second.get())).containsExactly(9L);
    }

    @Test
    void wakeUpDoesNotHideMessages() throws Exception {
        queue.add(queued(0, 2));
        queue.wakeUp();

        assertThat(offsets(queue.take())).containsExactly(0L, 1L);
    }

    @Test
    void wakeUpEndsABlockedTakeWithinAHundredMilliseconds() throws Exception {
        // case 19, the queue is empty
        long fastest = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            CompletableFuture<List<QueuedMessage>> blocked = takeOnThread();
            long begun = System.nanoTime();
            queue.wakeUp();
            assertThat(blocked.get(5, TimeUnit.SECONDS)).isEmpty();
            fastest = Math.min(fastest, System.nanoTime() - begun);
        }

        assertThat(fastest).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void aThousandWakeUpsLoseAndRepeatNothing() throws Exception {
        // case 20
        int count = 10_000;
        CompletableFuture<Void> waker =
                onThread(
                        () -> {
                            for (int i = 0; i < 1000; i++) {
                                queue.wakeUp();
                                Thread.yield();
                            }
                        });
        CompletableFuture<Void> adder =
                onThread(
                        () -> {
                            Random random = new Random(1);
                            int next = 0;
                            while (next < count) {
                                int size = Math.min(count - next, 1 + random.nextInt(32));
                                queue.add(queued(next, size));
                                next += size;
                            }
                        });
        List<Long> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.addAll(offsets(queue.take()));
        }
        waker.get();
        adder.get();

        assertThat(taken).hasSize(count).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void interruptEndsABlockedTake() {
        AtomicReference<Thread> taker = new AtomicReference<>();
        CompletableFuture<List<QueuedMessage>> blocked = takeOnThread(taker);
        taker.get().interrupt();

        assertThatThrownBy(() -> blocked.get(5, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    private CompletableFuture<List<QueuedMessage>> takeOnThread() {
        return takeOnThread(new AtomicReference<>());
    }

    /** Returns when the taker waits. */
    private CompletableFuture<List<QueuedMessage>> takeOnThread(AtomicReference<Thread> taker) {
        CompletableFuture<List<QueuedMessage>> result = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                result.complete(queue.take());
                            } catch (InterruptedException e) {
                                result.completeExceptionally(e);
                            }
                        },
                        "taker");
        taker.set(thread);
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return result;
    }

    private static CompletableFuture<Void> onThread(Runnable work) {
        return CompletableFuture.runAsync(work, action -> new Thread(action, "worker").start());
    }

    private static List<QueuedMessage> queued(long firstOffset, int count) {
        List<QueuedMessage> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            messages.addAll(
                    QueuedMessage.ofAnswer(
                            Collections.singletonList(
                                    Messages.message("a", firstOffset + i).build()),
                            Duration.ofSeconds(60),
                            null));
        }
        return messages;
    }

    private static List<Long> offsets(List<QueuedMessage> messages) {
        return messages.stream().map(m -> m.message().offset()).collect(Collectors.toList());
    }
}
