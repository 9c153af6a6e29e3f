/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.split;

import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * Tells one reader to receive. It stands for no part of the topic: the broker balances the messages
 * over all readers of the group. Immutable.
 */
@Internal
public final class PlaceholderSplit implements SourceSplit {

    private final int subtask;

    /**
     * @param subtask index of the subtask whose reader it belongs to, from 0
     */
    public PlaceholderSplit(int subtask) {
        if (subtask < 0) {
            throw new IllegalArgumentException("subtask: " + subtask + " (expected: 0 or more)");
        }
        this.subtask = subtask;
    }

    /** Index of the subtask whose reader it belongs to. */
    public int subtask() {
        return subtask;
    }

    @Override
    public String splitId() {
        return "subtask-" + subtask;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PlaceholderSplit && subtask == ((PlaceholderSplit) other).subtask;
    }

    @Override
    public int hashCode() {
        return subtask;
    }

    @Override
    public String toString() {
        return splitId();
    }
}
