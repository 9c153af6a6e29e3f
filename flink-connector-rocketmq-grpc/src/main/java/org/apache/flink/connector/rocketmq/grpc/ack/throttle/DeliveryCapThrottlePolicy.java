/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.util.Preconditions;

/**
 * Lets so many messages of each delivery go on and makes the lite topic pause before the next. It
 * needs no memory and no clock, so it does the same at any parallelism and after any restart.
 *
 * @param <T> type of the value; it does not matter here
 */
@PublicEvolving
public final class DeliveryCapThrottlePolicy<T> implements MessageThrottlePolicy<T> {

    private static final long serialVersionUID = 1L;

    private final int maxMessages;
    private final Duration pause;

    private DeliveryCapThrottlePolicy(int maxMessages, Duration pause) {
        Preconditions.checkArgument(
                maxMessages >= 1, "messages per delivery: %s (expected: at least 1)", maxMessages);
        Objects.requireNonNull(pause, "pause");
        Preconditions.checkArgument(
                !pause.isNegative() && !pause.isZero(), "pause: %s (expected: more than 0)", pause);
        this.maxMessages = maxMessages;
        this.pause = pause;
    }

    /**
     * The same cap for every lite topic.
     *
     * @param maxMessages messages of a delivery that go on, at least 1; from 32 on none is refused
     * @param pause how long the lite topic is silent after them, more than 0
     * @param <T> type of the value
     */
    public static <T> DeliveryCapThrottlePolicy<T> of(int maxMessages, Duration pause) {
        return new DeliveryCapThrottlePolicy<>(maxMessages, pause);
    }

    /** Not used: the place of a message in its delivery is in the context. */
    @Override
    public Optional<Duration> onMessage(T value) {
        throw new UnsupportedOperationException(
                "A delivery cap judges with a context: call onMessage(value, context)");
    }

    @Override
    public Optional<Duration> onMessage(T value, ThrottleContext context) {
        return context.getIndexInDelivery() < maxMessages ? Optional.empty() : Optional.of(pause);
    }
}
