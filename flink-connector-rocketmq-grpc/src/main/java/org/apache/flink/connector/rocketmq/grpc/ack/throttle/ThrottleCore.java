/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.connector.rocketmq.grpc.config.ThrottleConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.util.FlinkException;

/**
 * Turns the answer of a {@link MessageThrottlePolicy} into what happens: memory of deferred
 * deliveries first, then the policy, then the valves. Pure: it sends nothing, and the time is an
 * argument. For one thread.
 *
 * @param <T> type of the value
 */
final class ThrottleCore<T> {

    private final MessageThrottlePolicy<T> policy;
    private final ThrottleConfig config;
    private final DeferralCounts counts;
    private final DeferralMemory memory;
    private final AdmittedParts parts;
    private final ThrottleCounters counters;

    ThrottleCore(
            MessageThrottlePolicy<T> policy,
            ThrottleConfig config,
            DeferralCounts counts,
            DeferralMemory memory,
            AdmittedParts parts,
            ThrottleCounters counters) {
        this.policy = Objects.requireNonNull(policy, "policy");
        this.config = config;
        this.counts = counts;
        this.memory = memory;
        this.parts = parts;
        this.counters = counters;
    }

    /**
     * Decides about one record.
     *
     * @param now processing time, milliseconds since the epoch
     * @throws Exception what the policy threw, with topic, lite topic and message id
     */
    ThrottleDecision decide(AckableMessage<T> message, long now) throws Exception {
        RocketMQReceiptHandle handle = message.getReceiptHandle();
        if (memory.covers(handle, now)) {
            counters.letGo.inc();
            return ThrottleDecision.LET_GO;
        }
        ThrottleDecision ofOtherPart = parts.decided(handle, now);
        if (ofOtherPart != null) {
            return goOn(handle, ofOtherPart, now);
        }
        int deferrals = counts.of(handle, now);
        Duration wanted = ask(message, new Context(handle, deferrals, now));
        if (wanted.isZero()) {
            counts.forget(handle);
            return goOn(handle, ThrottleDecision.ADMIT, now);
        }
        if (isForced(handle, deferrals, now)) {
            return goOn(handle, ThrottleDecision.FORCE, now);
        }
        return defer(handle, cap(wanted), now);
    }

    private ThrottleDecision goOn(
            RocketMQReceiptHandle handle, ThrottleDecision decision, long now) {
        parts.goesOn(handle, decision, now);
        counters.admitted.inc();
        return decision;
    }

    private ThrottleDecision defer(RocketMQReceiptHandle handle, Duration duration, long now) {
        counts.increment(handle, duration, now);
        if (memory.remember(handle, duration, now)) {
            counters.deferredDeliveries.inc();
        }
        counters.deferRequests.inc();
        return ThrottleDecision.defer(duration);
    }

    /** What the policy wants, zero for "go on". */
    private Duration ask(AckableMessage<T> message, Context context) throws Exception {
        Optional<Duration> answer;
        try {
            answer = policy.onMessage(message.getValue(), context);
            if (answer == null) {
                throw new NullPointerException("returned null (expected: empty or a duration)");
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new FlinkException(
                    "Throttle policy "
                            + policy.getClass().getName()
                            + " failed on "
                            + context.getTopic()
                            + "/"
                            + context.getLiteTopic()
                            + ", message id "
                            + context.getMessageId()
                            + ": "
                            + e,
                    e);
        }
        return answer.filter(duration -> !duration.isNegative()).orElse(Duration.ZERO);
    }

    /** The message goes on whatever the policy says; its count stays, should it come back. */
    private boolean isForced(RocketMQReceiptHandle handle, int deferrals, long now) {
        int most = config.maxDeliveryAttempt();
        if (deferrals >= most || handle.getDeliveryAttempt() >= most) {
            counters.forcedByCount.inc();
            return true;
        }
        Duration maxAge = config.maxAge().orElse(null);
        if (maxAge != null && now - handle.getBornTimestamp() >= maxAge.toMillis()) {
            counters.forcedByAge.inc();
            return true;
        }
        return false;
    }

    /** Whole milliseconds, rounded up, and no more than the longest deferral. */
    private Duration cap(Duration wanted) {
        if (wanted.compareTo(config.maxInvisibleDuration()) > 0) {
            counters.cappedDurations.inc();
            return config.maxInvisibleDuration();
        }
        Duration whole = Duration.ofMillis(wanted.toMillis());
        return whole.equals(wanted) ? whole : whole.plusMillis(1);
    }

    /** The view of one message. Immutable. */
    private static final class Context implements ThrottleContext {
        private final RocketMQReceiptHandle handle;
        private final int deferrals;
        private final long now;

        private Context(RocketMQReceiptHandle handle, int deferrals, long now) {
            this.handle = handle;
            this.deferrals = deferrals;
            this.now = now;
        }

        @Override
        public String getEndpoint() {
            return handle.getEndpoint();
        }

        @Override
        public String getNamespace() {
            return handle.getNamespace();
        }

        @Override
        public String getTopic() {
            return handle.getTopic();
        }

        @Override
        public String getLiteTopic() {
            return handle.getLiteTopic();
        }

        @Override
        public String getConsumerGroup() {
            return handle.getConsumerGroup();
        }

        @Override
        public String getMessageId() {
            return handle.getMessageId();
        }

        @Override
        public int getDeliveryAttempt() {
            return handle.getDeliveryAttempt();
        }

        @Override
        public int getDeferrals() {
            return deferrals;
        }

        @Override
        public long getBornTimestamp() {
            return handle.getBornTimestamp();
        }

        @Override
        public int getIndexInDelivery() {
            return handle.getIndexInDelivery();
        }

        @Override
        public long currentTimeMillis() {
            return now;
        }
    }
}
