/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.enumerator;

import java.util.List;
import java.util.Objects;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every reader that registers a placeholder split of its own, at any parallelism and after
 * any number of failures.
 *
 * <p>A split that comes back from a failed reader is forgotten: the reader gets a new one when it
 * registers again, and no other reader may have two. Called by the coordinator thread only.
 */
@Internal
public final class PlaceholderSplitEnumerator
        implements SplitEnumerator<PlaceholderSplit, EnumeratorState> {

    private static final Logger LOG = LoggerFactory.getLogger(PlaceholderSplitEnumerator.class);

    private final SplitEnumeratorContext<PlaceholderSplit> context;

    private final boolean bounded;

    /**
     * @param context not null
     * @param bounded whether readers end, each by itself; then no reader gets a second split
     */
    public PlaceholderSplitEnumerator(
            SplitEnumeratorContext<PlaceholderSplit> context, boolean bounded) {
        this.context = Objects.requireNonNull(context, "context");
        this.bounded = bounded;
    }

    @Override
    public void start() {
        // readers register by themselves, nothing has to be discovered
    }

    @Override
    public void addReader(int subtask) {
        context.assignSplit(new PlaceholderSplit(subtask), subtask);
        if (bounded) {
            context.signalNoMoreSplits(subtask);
        }
        LOG.debug("reader of subtask {} got its placeholder split", subtask);
    }

    @Override
    public void addSplitsBack(List<PlaceholderSplit> splits, int subtask) {
        LOG.debug("placeholder splits {} of failed subtask {} forgotten", splits, subtask);
    }

    @Override
    public void handleSplitRequest(int subtask, String requesterHostname) {
        // a reader has its split from registration on and never asks
    }

    @Override
    public EnumeratorState snapshotState(long checkpointId) {
        return EnumeratorState.EMPTY;
    }

    @Override
    public void close() {
        // owns nothing
    }
}
