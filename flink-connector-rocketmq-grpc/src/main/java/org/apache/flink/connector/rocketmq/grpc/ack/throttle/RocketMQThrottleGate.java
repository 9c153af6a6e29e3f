/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Throttles before the work: a message the policy lets through goes on unacknowledged, a refused
 * one silences its lite topic until the duration is over. Belongs before the work; the last
 * operator acks.
 *
 * <pre>{@code
 * stream.keyBy(AckableMessage::getLiteTopic)
 *       .process(new RocketMQThrottleGate<>(TokenBucketThrottlePolicy.of(100, 32), configuration))
 *       .map(m -> m.withValue(work(m.getValue()))).returns(...)
 *       .process(new AckLast(configuration));
 * }</pre>
 *
 * <p>The server's order makes it work: the messages behind a refused one come back behind it, so
 * the gate lets them go, and none is worked on before its predecessor. A deferral leaves when
 * everything below it in its delivery is acked, and the time it waited counts. For that the gate
 * has to see the acks: give gate and acking operator the same options and let them share a slot, as
 * Flink does unless told otherwise. If they are on different TaskManagers a deferral in the middle
 * of a delivery waits for the lease to end.
 *
 * <p>State: how often the policy refused each message, bounded; it follows a message to any subtask
 * after a restart at any parallelism. Counters, in the group {@code rocketmq.throttle} of the
 * operator: {@code admitted}, {@code deferredDeliveries}, {@code deferRequests}, {@code letGo},
 * {@code forcedByCount}, {@code forcedByAge}, {@code parked}, {@code cappedDurations}, {@code
 * forgotten}, {@code deferralsDone}, {@code deferralsTooLate}, {@code deferralsAtLeaseEnd}. The
 * requests sent for them are {@code rocketmq.deferralRpcs}, counted below: as many as {@code
 * deferredDeliveries} once all have left.
 *
 * @param <T> type of the value
 */
@PublicEvolving
public class RocketMQThrottleGate<T> extends ThrottlingFunction<T, AckableMessage<T>> {

    private static final long serialVersionUID = 1L;

    /** A gate with default options. */
    public RocketMQThrottleGate(MessageThrottlePolicy<T> policy) {
        this(policy, new Configuration());
    }

    /**
     * A gate with options.
     *
     * @param policy not null; each subtask gets a copy
     * @param configuration client, ack and throttle options
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public RocketMQThrottleGate(MessageThrottlePolicy<T> policy, Configuration configuration) {
        super(policy, configuration);
    }

    /**
     * What a safety valve lets through goes to a side output instead of the main one,
     * unacknowledged: acknowledge it there, when it is stored. Until that is done its lite topic
     * waits, and it comes back when its lease ends.
     *
     * @param tag not null
     * @return this gate
     */
    public RocketMQThrottleGate<T> parkTo(OutputTag<AckableMessage<T>> tag) {
        park(tag);
        return this;
    }

    @Override
    void parked(AckableMessage<T> message) {}

    @Override
    void admit(AckableMessage<T> message, Collector<AckableMessage<T>> out) {
        out.collect(message);
    }
}
