/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.connector.rocketmq.grpc.config.CredentialsResolver;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RocketMQSourceReaderTest {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final CountedMetrics counted = new CountedMetrics();
    private final RecordedReaderOutput<String> output = new RecordedReaderOutput<>();
    private RocketMQSourceReader<String> reader = newReader(1, 4);

    @AfterEach
    void nothingOfOursIsAlive() throws Exception {
        reader.close();
        await().atMost(Duration.ofSeconds(10)).until(() -> ourThreads().isEmpty());
    }

    @Test
    void emitsWhatTheConsumerReceives() throws Exception {
        receiving();
        consumer.openPolls().get(0).answers(Messages.delivery("a", 1));
        consumer.openPolls().get(1).answers(Messages.delivery("b", 1));
        pollUntil(2);

        assertThat(output.values()).containsExactlyInAnyOrder("a-0", "b-0");
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void wakeUpsFromOutsideLoseNothing() throws Exception {
        // beside case 20
        receiving();
        for (int i = 0; i < 200; i++) {
            consumer.openPolls().get(0).answers(Messages.delivery("lite-" + i, 1));
            reader.pauseOrResumeSplits(
                    Collections.emptyList(), Collections.singletonList("subtask-0"));
            pollUntil(i + 1);
        }

        assertThat(output.values()).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    void aReaderHasNoStateSoNoSplitEverReachesAnotherOne() throws Exception {
        // beside case 65
        receiving();
        reader.pollNext(output);

        assertThat(reader.snapshotState(1)).isEmpty();
    }

    @Test
    void aFatalFailureReachesTheTaskThread() throws Exception {
        receiving();
        consumer.openPolls().get(0).fails(Messages.failure(ErrorKind.FATAL, "UNAUTHORIZED"));

        assertThatThrownBy(() -> pollForever(reader))
                .hasStackTraceContaining("receiving failed, topic LiteMainTopic, group GID-lite")
                .hasStackTraceContaining("code UNAUTHORIZED");
    }

    @Test
    void closesInTimeWhenNobodyTakesRecordsAndEveryQueueIsFull() throws Exception {
        // case 21
        reader = newReader(1, 64);
        receiving();
        await().pollInterval(Duration.ofMillis(10)).until(this::fetcherWaitsForFlinksQueue);
        consumer.openPolls().forEach(p -> p.answers(Messages.delivery("a", 1)));
        assertThat(consumer.openPolls()).isEmpty();

        assertThat(timeToClose()).isLessThan(CLOSE_LIMIT);
        assertThat(consumer.closes()).isEqualTo(1);
        assertNoThreadOfOursLives();
    }

    @Test
    void closesInTimeDuringALongPollAtAServerThatNeverAnswers() throws Exception {
        // beside case 27
        consumer.closeTakesTwoSeconds();
        receiving();
        assertThat(consumer.openPolls()).hasSize(4);

        assertThat(timeToClose()).isLessThan(CLOSE_LIMIT);
        assertNoThreadOfOursLives();
    }

    @Test
    void closesInTimeWhileTheStartHasNoAnswer() throws Exception {
        // beside case 27
        consumer.closeTakesTwoSeconds();
        reader.addSplits(Collections.singletonList(new PlaceholderSplit(0)));
        reader.pollNext(output);

        assertThat(timeToClose()).isLessThan(CLOSE_LIMIT);
        assertNoThreadOfOursLives();
    }

    @Test
    void closesInTimeDuringABackoff() throws Exception {
        receiving();
        consumer.openPolls()
                .forEach(p -> p.fails(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE")));

        assertThat(timeToClose()).isLessThan(CLOSE_LIMIT);
        assertNoThreadOfOursLives();
    }

    @Test
    void anInterruptDuringCloseLeavesNothingBehind() throws Exception {
        // case 29
        consumer.closeTakesTwoSeconds();
        receiving();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread closing =
                new Thread(
                        () -> {
                            try {
                                reader.close();
                            } catch (Throwable t) {
                                thrown.set(t);
                            }
                        },
                        "closing");
        closing.start();
        await().pollInterval(Duration.ofMillis(1)).until(() -> consumer.closes() == 1);
        closing.interrupt();
        closing.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        await().atMost(Duration.ofSeconds(5)).until(() -> ourThreads().isEmpty());
        reader.close();
        assertThat(consumer.closes()).isEqualTo(1);
    }

    @Test
    void closingAReaderThatNeverGotASplitIsFine() throws Exception {
        reader.start();

        assertThat(timeToClose()).isLessThan(CLOSE_LIMIT);
        assertThat(consumer.closes()).isZero();
    }

    @Test
    void fiftyFailedStartsLeaveNoThread() throws Exception {
        // beside case 32
        for (int i = 0; i < 50; i++) {
            ScriptedConsumer failing = new ScriptedConsumer();
            failing.startFails(Messages.failure(ErrorKind.FATAL, "TOPIC_NOT_FOUND"));
            RocketMQSourceReader<String> doomed = newReader(failing, 32, 1);
            doomed.addSplits(Collections.singletonList(new PlaceholderSplit(0)));
            assertThatThrownBy(() -> pollForever(doomed))
                    .hasStackTraceContaining("code TOPIC_NOT_FOUND");
            doomed.close();
            assertThat(failing.closes()).isEqualTo(1);
        }

        assertNoThreadOfOursLives();
    }

    @Test
    void theCloseTimeoutOfTheJobWins() throws Exception {
        consumer.closeTakesTwoSeconds();
        Configuration job =
                new Configuration().set(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, 100L);
        reader =
                RocketMQSourceReader.create(
                        Configs.config(),
                        RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema()),
                        config -> consumer,
                        new FakeReaderContext(job, counted.group()));
        receiving();

        assertThat(timeToClose()).isLessThan(Duration.ofMillis(1900));
    }

    @Test
    void aReaderThatCannotBeMadeClosesTheResolverItHasOpened() {
        CountedResolver.OPEN.set(0);
        SourceConfig config =
                SourceConfig.from(
                        Configs.options()
                                .set(
                                        RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS,
                                        CountedResolver.class.getName()));

        assertThatThrownBy(
                        () ->
                                RocketMQSourceReader.create(
                                        config,
                                        RocketMQDeserializationSchema.valueOnly(
                                                new SimpleStringSchema()),
                                        c -> consumer,
                                        new FakeReaderContext(new Configuration(), null)))
                .isInstanceOf(NullPointerException.class);
        assertThat(CountedResolver.OPENS).hasPositiveValue();
        assertThat(CountedResolver.OPEN).hasValue(0);
    }

    private boolean fetcherWaitsForFlinksQueue() {
        if (stackOf(fetcher()).contains("FutureCompletingBlockingQueue.put")) {
            return true;
        }
        consumer.openPolls().get(0).answers(Messages.delivery("a", 1));
        return false;
    }

    /** A thread that has left its last action is alive for a moment still. */
    private static void assertNoThreadOfOursLives() {
        await().atMost(Duration.ofSeconds(2))
                .untilAsserted(() -> assertThat(ourThreads()).isEmpty());
    }

    private Duration timeToClose() throws Exception {
        long begun = System.nanoTime();
        reader.close();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private void receiving() throws Exception {
        reader.start();
        reader.addSplits(Collections.singletonList(new PlaceholderSplit(0)));
        consumer.startSucceeds();
        // the listener is there as soon as the fetcher took the split
        await().until(
                        () -> {
                            consumer.changeBrokers("broker-a");
                            return !consumer.openPolls().isEmpty();
                        });
    }

    private void pollUntil(int records) {
        await().pollInSameThread()
                .pollInterval(Duration.ofMillis(1))
                .until(
                        () -> {
                            reader.pollNext(output);
                            return output.values().size() >= records;
                        });
    }

    private void pollForever(RocketMQSourceReader<String> of) throws Exception {
        while (of.pollNext(output) != InputStatus.END_OF_INPUT) {
            of.isAvailable().get(10, TimeUnit.SECONDS);
        }
    }

    private RocketMQSourceReader<String> newReader(int maxMessageNum, int fetchConcurrency) {
        return newReader(consumer, maxMessageNum, fetchConcurrency);
    }

    private RocketMQSourceReader<String> newReader(
            ScriptedConsumer of, int maxMessageNum, int fetchConcurrency) {
        SourceConfig config =
                SourceConfig.from(
                        Configs.options()
                                .set(RocketMQGrpcSourceOptions.MAX_MESSAGE_NUM, maxMessageNum)
                                .set(
                                        RocketMQGrpcSourceOptions.FETCH_CONCURRENCY,
                                        fetchConcurrency));
        return RocketMQSourceReader.create(
                config,
                RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema()),
                c -> of,
                new FakeReaderContext(new Configuration(), counted.group()));
    }

    private static Thread fetcher() {
        return ourThreads().stream()
                .filter(t -> t.getName().startsWith("Source Data Fetcher"))
                .findFirst()
                .orElseThrow(AssertionError::new);
    }

    private static String stackOf(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .map(StackTraceElement::toString)
                .collect(Collectors.joining("\n"));
    }

    private static List<Thread> ourThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(
                        t ->
                                t.getName().startsWith("Source Data Fetcher")
                                        || t.getName().startsWith("rocketmq-"))
                .collect(Collectors.toList());
    }

    /** Counts those that are open. */
    public static final class CountedResolver implements CredentialsResolver {
        private static final AtomicInteger OPENS = new AtomicInteger();
        private static final AtomicInteger OPEN = new AtomicInteger();

        @Override
        public void open(ReadableConfig options) {
            OPENS.incrementAndGet();
            OPEN.incrementAndGet();
        }

        @Override
        public Credentials resolve(String endpoints) {
            return Credentials.of("user", "secret");
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }
}
