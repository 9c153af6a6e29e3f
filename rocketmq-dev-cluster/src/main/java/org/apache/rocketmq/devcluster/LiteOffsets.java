/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.util.Objects;

/**
 * Where a group stands in one lite topic, as the broker that holds it says: messages below {@link
 * #committed()} are settled, {@link #max()} is the offset the next message will get. If several
 * brokers hold it, the sums; if none does, 0 and 0.
 */
public final class LiteOffsets {

    private final long committed;
    private final long max;

    public LiteOffsets(long committed, long max) {
        this.committed = committed;
        this.max = max;
    }

    public long committed() {
        return committed;
    }

    public long max() {
        return max;
    }

    /** Messages that the group has not settled. */
    public long backlog() {
        return Math.max(0, max - committed);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LiteOffsets)) {
            return false;
        }
        LiteOffsets that = (LiteOffsets) other;
        return committed == that.committed && max == that.max;
    }

    @Override
    public int hashCode() {
        return Objects.hash(committed, max);
    }

    @Override
    public String toString() {
        return committed + "/" + max;
    }
}
