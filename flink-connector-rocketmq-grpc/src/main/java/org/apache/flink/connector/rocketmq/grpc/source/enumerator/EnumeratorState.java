/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.enumerator;

import org.apache.flink.annotation.Internal;

/**
 * What the enumerator remembers: nothing, because the broker keeps the progress of the group and
 * every reader gets a new split when it registers. It exists so that later versions have a state to
 * evolve from.
 */
@Internal
public final class EnumeratorState {

    /** The only value. */
    public static final EnumeratorState EMPTY = new EnumeratorState();

    private EnumeratorState() {}

    @Override
    public String toString() {
        return "EnumeratorState{}";
    }
}
