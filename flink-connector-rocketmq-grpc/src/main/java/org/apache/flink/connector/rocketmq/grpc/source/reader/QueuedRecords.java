/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;

/** What one fetch brought: messages of the reader's only split. Used by the task thread. */
final class QueuedRecords implements RecordsWithSplitIds<QueuedMessage> {

    private final Iterator<QueuedMessage> messages;
    private final Set<String> finished;
    private String split;

    /**
     * @param split id of the split
     * @param messages may be empty; then there is no split to go to
     */
    QueuedRecords(String split, List<QueuedMessage> messages) {
        this.split = messages.isEmpty() ? null : split;
        this.messages = messages.iterator();
        this.finished = Collections.emptySet();
    }

    private QueuedRecords(String finished) {
        this.messages = Collections.emptyIterator();
        this.finished = Collections.singleton(finished);
    }

    /** Nothing, and nothing more of this split. */
    static QueuedRecords endOf(String split) {
        return new QueuedRecords(split);
    }

    @Nullable
    @Override
    public String nextSplit() {
        String next = split;
        split = null;
        return next;
    }

    @Nullable
    @Override
    public QueuedMessage nextRecordFromSplit() {
        return messages.hasNext() ? messages.next() : null;
    }

    @Override
    public Set<String> finishedSplits() {
        return finished;
    }
}
