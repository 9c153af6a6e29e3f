/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsRemoval;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.SystemClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class LiteSplitReaderTest {

    private static final List<PlaceholderSplit> SPLIT =
            Collections.singletonList(new PlaceholderSplit(2));
    private static final List<PlaceholderSplit> NONE = Collections.emptyList();

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final ReceiveSession session =
            new ReceiveSession(
                    Configs.config(1, 1),
                    config -> consumer,
                    Optional.empty(),
                    new SourceMetrics(new CountedMetrics().group()),
                    new ManualTimer(),
                    SystemClock.getInstance());
    private final LiteSplitReader reader = new LiteSplitReader(session);

    @Test
    void receivingBeginsWithTheSplit() {
        consumer.startSucceeds();
        assertThat(consumer.polls()).isEmpty();
        receiving();

        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void fetchBringsMessagesUnderTheSplitsId() throws IOException {
        receiving();
        consumer.openPoll().answers(Messages.delivery("a", 2));

        RecordsWithSplitIds<QueuedMessage> fetched = reader.fetch();
        assertThat(fetched.nextSplit()).isEqualTo("subtask-2");
        assertThat(fetched.nextRecordFromSplit().message().messageId()).isEqualTo("a-0");
        assertThat(fetched.nextRecordFromSplit().message().messageId()).isEqualTo("a-1");
        assertThat(fetched.nextRecordFromSplit()).isNull();
        assertThat(fetched.nextSplit()).isNull();
        assertThat(fetched.finishedSplits()).isEmpty();
    }

    @Test
    void wakeUpEndsAFetchDuringALongPoll() throws Exception {
        // case 19, a long poll is under way
        receiving();

        assertThat(fastestWakeUp()).isLessThan(Duration.ofMillis(100));
        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void wakeUpEndsAFetchWhenAllRoomIsTaken() throws Exception {
        // case 19, the queue is full
        receiving();
        consumer.openPoll().answers(Messages.delivery("a", 1));
        assertThat(reader.fetch().nextSplit()).isEqualTo("subtask-2");
        assertThat(consumer.openPolls()).isEmpty();

        assertThat(fastestWakeUp()).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void wakeUpBeforeFetchIsNotLost() throws IOException {
        // beside case 19
        receiving();
        reader.wakeUp();

        assertThat(reader.fetch().nextSplit()).isNull();
    }

    @Test
    void pausingTheSplitStopsPollsAndResumingBeginsThemAgain() throws IOException {
        receiving();
        reader.pauseOrResumeSplits(SPLIT, NONE);
        consumer.openPoll().answers();
        assertThat(consumer.openPolls()).isEmpty();
        reader.pauseOrResumeSplits(NONE, SPLIT);

        assertThat(consumer.openPolls()).hasSize(1);
    }

    @Test
    void aSecondSplitIsRefused() {
        // beside case 65: one reader never has two consumers
        List<PlaceholderSplit> two =
                new ArrayList<>(Arrays.asList(new PlaceholderSplit(0), new PlaceholderSplit(1)));

        assertThatThrownBy(() -> reader.handleSplitsChanges(new SplitsAddition<>(two)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("split subtask-1 added to a reader that has subtask-0");
    }

    @Test
    void aRemovalIsRefused() {
        assertThatThrownBy(() -> reader.handleSplitsChanges(new SplitsRemoval<>(SPLIT)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("SplitsRemoval (expected: SplitsAddition)");
    }

    @Test
    void closingEndsAFetchAndTheConsumer() throws Exception {
        receiving();
        CompletableFuture<RecordsWithSplitIds<QueuedMessage>> fetching = fetchOnThread();
        reader.close();

        assertThat(fetching.get(5, TimeUnit.SECONDS).nextSplit()).isNull();
        assertThat(consumer.closes()).isEqualTo(1);
    }

    private void receiving() {
        reader.handleSplitsChanges(new SplitsAddition<>(SPLIT));
        consumer.startSucceeds();
    }

    /** Of five, because the machine may be busy with something else. */
    private Duration fastestWakeUp() throws Exception {
        long fastest = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 5; attempt++) {
            CompletableFuture<RecordsWithSplitIds<QueuedMessage>> fetching = fetchOnThread();
            long begun = System.nanoTime();
            reader.wakeUp();
            assertThat(fetching.get(5, TimeUnit.SECONDS).nextSplit()).isNull();
            fastest = Math.min(fastest, System.nanoTime() - begun);
        }
        return Duration.ofNanos(fastest);
    }

    /** Returns when the fetcher waits. */
    private CompletableFuture<RecordsWithSplitIds<QueuedMessage>> fetchOnThread() {
        CompletableFuture<RecordsWithSplitIds<QueuedMessage>> result = new CompletableFuture<>();
        Thread fetcher =
                new Thread(
                        () -> {
                            try {
                                result.complete(reader.fetch());
                            } catch (IOException e) {
                                result.completeExceptionally(e);
                            }
                        },
                        "fetcher");
        fetcher.start();
        while (fetcher.isAlive() && fetcher.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return result;
    }
}
