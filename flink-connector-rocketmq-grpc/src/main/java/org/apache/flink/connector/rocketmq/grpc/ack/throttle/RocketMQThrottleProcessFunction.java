/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Throttles at the end: a message the policy lets through is acknowledged on the spot and its value
 * emitted, a refused one silences its lite topic until the duration is over. Belongs last, because
 * what it emits is gone from the server.
 *
 * <p>The work before it is done again for a refused message and for what follows that in its
 * delivery: where the work is dear, put a {@link RocketMQThrottleGate} before it instead.
 *
 * <p>State and counters are those of the gate.
 *
 * @param <T> type of the value
 */
@PublicEvolving
public class RocketMQThrottleProcessFunction<T> extends ThrottlingFunction<T, T> {

    private static final long serialVersionUID = 1L;

    /** A function with default options. */
    public RocketMQThrottleProcessFunction(MessageThrottlePolicy<T> policy) {
        this(policy, new Configuration());
    }

    /**
     * A function with options.
     *
     * @param policy not null; each subtask gets a copy
     * @param configuration client, ack and throttle options
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public RocketMQThrottleProcessFunction(
            MessageThrottlePolicy<T> policy, Configuration configuration) {
        super(policy, configuration);
    }

    /**
     * What a safety valve lets through goes to a side output instead of the main one, and is then
     * acknowledged: it is gone from the server, so the side output is all that is left of it.
     *
     * @param tag not null
     * @return this function
     */
    public RocketMQThrottleProcessFunction<T> parkTo(OutputTag<AckableMessage<T>> tag) {
        park(tag);
        return this;
    }

    @Override
    void parked(AckableMessage<T> message) {
        ack(message);
    }

    /** Emits first: a message whose emission fails is not acknowledged and comes back. */
    @Override
    void admit(AckableMessage<T> message, Collector<T> out) {
        out.collect(message.getValue());
        ack(message);
    }
}
