/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntPredicate;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.SendReceipt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoadGeneratorTest {

    /** 3 greetings, 30 hot and 3 cold messages. */
    private static final int SCHEDULED = 36;

    private final LoadSchedule schedule = new LoadSchedule(Duration.ofMillis(300), 100, 10, 3);

    private final MemoryProducer producer = new MemoryProducer();

    @Test
    void everyMessageOfTheScheduleIsSentOnce() {
        try (LoadGenerator load = new LoadGenerator(producer, schedule)) {
            load.start();
            load.done().join();

            assertThat(producer.attempts).hasSize(SCHEDULED).doesNotHaveDuplicates();
            assertThat(load.sent().size()).isEqualTo(SCHEDULED);
            assertThat(load.repeatedCount()).isZero();
        }
    }

    @Test
    void failedSendIsRepeatedAndCounted() {
        producer.failure = attempt -> attempt == 5 || attempt == 6;
        try (LoadGenerator load = new LoadGenerator(producer, schedule)) {
            load.start();
            load.done().join();

            assertThat(producer.attempts).hasSize(SCHEDULED + 2);
            assertThat(load.sent().size()).isEqualTo(SCHEDULED);
            assertThat(load.repeatedCount()).isEqualTo(2);
        }
    }

    @Test
    void messageThatNeverSucceedsFailsTheLoad() {
        producer.failure = attempt -> true;
        try (LoadGenerator load = new LoadGenerator(producer, schedule)) {
            load.start();

            assertThat(load.done())
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .withMessageContaining("scripted");
            assertThat(load.sent().size()).isZero();
        }
    }

    @Test
    void closeEndsTheThreadAlsoWhileSendsAreUnanswered() {
        producer.answering = false;
        LoadGenerator load =
                new LoadGenerator(producer, new LoadSchedule(Duration.ofHours(1), 2000, 1, 1));
        load.start();
        await().until(() -> producer.attempts.size() == 256);

        load.close();

        assertThat(load.done()).isCompletedExceptionally();
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("rocketmq-demo-load");
        assertThat(producer.attempts).as("bounded in flight").hasSize(256);
    }

    @Test
    void closeBeforeStartIsHarmless() {
        new LoadGenerator(producer, schedule).close();

        assertThat(producer.attempts).isEmpty();
    }

    /** Stores sends in memory; fails those it is told to. */
    private static final class MemoryProducer implements LiteProducer {
        private final List<Integer> attempts = new CopyOnWriteArrayList<>();
        private volatile IntPredicate failure = attempt -> false;
        private volatile boolean answering = true;

        @Override
        public CompletableFuture<Void> start() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<SendReceipt> send(LiteOutgoingMessage message) {
            int sequence = DemoMessage.fromBytes(message.body()).getSequence();
            attempts.add(sequence);
            if (!answering) {
                return new CompletableFuture<>();
            }
            if (failure.test(attempts.size())) {
                return CompletableFuture.failedFuture(new IllegalStateException("scripted"));
            }
            return CompletableFuture.completedFuture(new SendReceipt("id-" + sequence, sequence));
        }

        @Override
        public void close() {}
    }
}
