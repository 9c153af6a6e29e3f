/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;

/**
 * Flink's view of a {@link ReceiveSession}: begins receiving with the reader's only split, and ends
 * it when a bounded reader was idle for long enough. Called by the fetcher, except for {@link
 * #wakeUp}.
 */
final class LiteSplitReader implements SplitReader<QueuedMessage, PlaceholderSplit> {

    private final ReceiveSession session;
    private String split;

    LiteSplitReader(ReceiveSession session) {
        this.session = session;
    }

    @Override
    public RecordsWithSplitIds<QueuedMessage> fetch() throws IOException {
        List<QueuedMessage> taken = session.take();
        return taken.isEmpty() && session.isOver()
                ? QueuedRecords.endOf(split)
                : new QueuedRecords(split, taken);
    }

    @Override
    public void handleSplitsChanges(SplitsChange<PlaceholderSplit> change) {
        if (!(change instanceof SplitsAddition)) {
            throw new UnsupportedOperationException(
                    change.getClass().getSimpleName() + " (expected: SplitsAddition)");
        }
        for (PlaceholderSplit added : change.splits()) {
            if (split != null) {
                throw new IllegalStateException(
                        "split " + added + " added to a reader that has " + split);
            }
            split = added.splitId();
            session.start();
        }
    }

    @Override
    public void pauseOrResumeSplits(
            Collection<PlaceholderSplit> toPause, Collection<PlaceholderSplit> toResume) {
        if (!toPause.isEmpty()) {
            session.pause();
        }
        if (!toResume.isEmpty()) {
            session.resume();
        }
    }

    @Override
    public void wakeUp() {
        session.wakeUp();
    }

    @Override
    public void close() {
        session.close();
    }
}
