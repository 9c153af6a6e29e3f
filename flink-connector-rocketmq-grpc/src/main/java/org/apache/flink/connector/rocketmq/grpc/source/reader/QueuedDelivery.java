/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The messages of one delivery in a reader; decides whether the task emits of it or the closing
 * reader gives it back, never both. Thread-safe.
 */
final class QueuedDelivery {

    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    private volatile List<QueuedMessage> messages;

    /** Says which messages belong to it; called once, before anything else. */
    void consistsOf(List<QueuedMessage> all) {
        messages = all;
    }

    /** Its messages, in the order of the lite topic. */
    List<QueuedMessage> messages() {
        return messages;
    }

    /**
     * Something of it is emitted, acked or given up: from now on it is not released.
     *
     * @return false if it was released already; then it must not be emitted
     */
    boolean leave() {
        state.compareAndSet(State.WAITING, State.LEFT);
        return state.get() == State.LEFT;
    }

    /**
     * It goes back to the server.
     *
     * @return false if something of it left the reader, or it was released already
     */
    boolean release() {
        return state.compareAndSet(State.WAITING, State.RELEASED);
    }

    /** Where it stands. */
    private enum State {
        WAITING,
        LEFT,
        RELEASED
    }
}
