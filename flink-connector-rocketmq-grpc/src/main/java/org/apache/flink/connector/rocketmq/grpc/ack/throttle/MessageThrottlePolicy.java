/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * Decides whether a message goes on now or comes back later.
 *
 * <p>To refuse one message is to silence its lite topic: the server delivers nothing more of it
 * until the duration is over, then the refused message first and the rest after it. Every other
 * lite topic keeps flowing. The rest of the delivery the refused message came with is let go
 * without asking the policy again.
 *
 * <p>The answer is not the last word: a message refused {@code rocketmq.throttle
 * .max-delivery-attempt} times, or older than {@code rocketmq.throttle.max-age}, goes on all the
 * same, and a duration is cut to {@code rocketmq.throttle.max-invisible-duration}.
 *
 * <p>Called by the task thread only, once per message and delivery: a message that yielded several
 * records is judged by the first of them that arrives. Each subtask has its own copy of the policy,
 * so what it remembers covers the lite topics of that subtask: key the stream by lite topic to make
 * a limit per lite topic exact.
 *
 * @param <T> type of the value
 */
@FunctionalInterface
@PublicEvolving
public interface MessageThrottlePolicy<T> extends Serializable {

    /**
     * Judges a message by its value.
     *
     * @param value as the source emitted it; null if it emitted null
     * @return empty to let the message go on; a duration to have it delivered again after that
     *     long, rounded up to milliseconds. Zero or less asks for no wait and lets the message go
     *     on. Never null
     * @throws Exception fails the job; the error names topic, lite topic and message id. The
     *     message stays unacknowledged, so the server delivers it again
     */
    Optional<Duration> onMessage(T value) throws Exception;

    /**
     * Judges a message by its value and where it comes from. The operators call this method only;
     * unless overridden it asks {@link #onMessage(Object)}.
     *
     * @param context not null, valid during the call
     * @return as {@link #onMessage(Object)}
     * @throws Exception as {@link #onMessage(Object)}
     */
    default Optional<Duration> onMessage(T value, ThrottleContext context) throws Exception {
        return onMessage(value);
    }

    /**
     * Called once per subtask before the first message.
     *
     * @throws Exception fails the job
     */
    default void open(RuntimeContext context) throws Exception {}

    /**
     * Called once per subtask at its end, also after a failure and without {@link #open} before.
     *
     * @throws Exception is reported by the task
     */
    default void close() throws Exception {}
}
