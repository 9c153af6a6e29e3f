/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.enumerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.apache.flink.api.connector.source.ReaderInfo;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.metrics.groups.SplitEnumeratorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class PlaceholderSplitEnumeratorTest {

    private final RecordingContext context = new RecordingContext();
    private final PlaceholderSplitEnumerator enumerator =
            new PlaceholderSplitEnumerator(context, false);

    @Test
    void aBoundedReaderIsToldThatItsSplitIsTheOnlyOne() {
        // beside case 66
        context.bounded = true;
        PlaceholderSplitEnumerator bounded = new PlaceholderSplitEnumerator(context, true);
        bounded.addReader(0);
        bounded.addReader(1);

        assertThat(context.assigned).hasSize(2);
        assertThat(context.complete).containsExactly(0, 1);
    }

    @Test
    void everyReaderGetsASplitOfItsOwn() {
        // beside case 65
        enumerator.start();
        for (int subtask = 0; subtask < 4; subtask++) {
            enumerator.addReader(subtask);
        }

        assertThat(context.assigned).hasSize(4);
        context.assigned.forEach(
                (subtask, splits) ->
                        assertThat(splits).containsExactly(new PlaceholderSplit(subtask)));
    }

    @Test
    void aReaderThatFailsTwentyTimesGetsANewSplitEachTimeAndNobodyElseDoes() {
        // beside case 65
        enumerator.addReader(0);
        enumerator.addReader(1);
        for (int i = 0; i < 20; i++) {
            List<PlaceholderSplit> before = new ArrayList<>(context.assigned.get(1));
            enumerator.addSplitsBack(Collections.singletonList(new PlaceholderSplit(1)), 1);
            assertThat(context.assigned.get(1)).isEqualTo(before);
            enumerator.addReader(1);
        }

        assertThat(context.assigned.get(0)).hasSize(1);
        assertThat(context.assigned.get(1)).hasSize(21);
    }

    @Test
    void splitsOfVanishedReadersGoToNobodyAfterARestoreWithFewerReaders() throws Exception {
        // beside case 65
        EnumeratorState state = enumerator.snapshotState(1);
        RecordingContext smaller = new RecordingContext();
        EnumeratorStateSerializer serializer = new EnumeratorStateSerializer();
        EnumeratorState restored =
                serializer.deserialize(serializer.getVersion(), serializer.serialize(state));
        assertThat(restored).isSameAs(EnumeratorState.EMPTY);
        PlaceholderSplitEnumerator afterwards = new PlaceholderSplitEnumerator(smaller, false);
        afterwards.addSplitsBack(Collections.singletonList(new PlaceholderSplit(3)), 3);
        afterwards.addReader(0);

        assertThat(smaller.assigned)
                .containsOnlyKeys(0)
                .containsEntry(0, Collections.singletonList(new PlaceholderSplit(0)));
    }

    @Test
    void stateOfVersionOneIsWrittenAndReadAsTheGoldenBytesAndOtherVersionsAreRefused()
            throws Exception {
        // case 42, the enumerator half
        EnumeratorStateSerializer serializer = new EnumeratorStateSerializer();
        byte[] golden = golden("enumerator-state-v1.bin");

        assertThat(serializer.getVersion()).isEqualTo(1);
        assertThat(serializer.serialize(EnumeratorState.EMPTY)).isEqualTo(golden);
        assertThat(serializer.deserialize(1, golden)).isSameAs(EnumeratorState.EMPTY);
        assertThatThrownBy(() -> serializer.deserialize(2, golden))
                .isInstanceOf(IOException.class)
                .hasMessage("enumerator state version 2 (expected: 1 or less)");
        assertThatThrownBy(() -> serializer.deserialize(1, new byte[3]))
                .isInstanceOf(IOException.class)
                .hasMessage("enumerator state of 3 bytes (expected: 0)");
    }

    /** Version 1 has no bytes; the file says so. */
    private static byte[] golden(String name) throws IOException {
        try (InputStream in =
                PlaceholderSplitEnumeratorTest.class.getResourceAsStream("/golden/" + name)) {
            return in.readAllBytes();
        }
    }

    /** Records assignments; everything else is not for this enumerator to call. */
    private static final class RecordingContext
            implements SplitEnumeratorContext<PlaceholderSplit> {
        private final Map<Integer, List<PlaceholderSplit>> assigned = new HashMap<>();
        private final List<Integer> complete = new ArrayList<>();
        private boolean bounded;

        @Override
        public void assignSplits(SplitsAssignment<PlaceholderSplit> assignment) {
            assignment
                    .assignment()
                    .forEach(
                            (subtask, splits) ->
                                    assigned.computeIfAbsent(subtask, s -> new ArrayList<>())
                                            .addAll(splits));
        }

        @Override
        public SplitEnumeratorMetricGroup metricGroup() {
            return UnregisteredMetricsGroup.createSplitEnumeratorMetricGroup();
        }

        @Override
        public int currentParallelism() {
            throw new AssertionError();
        }

        @Override
        public Map<Integer, ReaderInfo> registeredReaders() {
            throw new AssertionError();
        }

        @Override
        public void sendEventToSourceReader(int subtask, SourceEvent event) {
            throw new AssertionError();
        }

        @Override
        public void signalNoMoreSplits(int subtask) {
            if (!bounded) {
                throw new AssertionError();
            }
            complete.add(subtask);
        }

        @Override
        public <T> void callAsync(Callable<T> callable, BiConsumer<T, Throwable> handler) {
            throw new AssertionError();
        }

        @Override
        public <T> void callAsync(
                Callable<T> callable, BiConsumer<T, Throwable> handler, long delay, long period) {
            throw new AssertionError();
        }

        @Override
        public void runInCoordinatorThread(Runnable runnable) {
            throw new AssertionError();
        }
    }
}
