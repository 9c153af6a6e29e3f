/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.util.Objects;

/** How often one consumer group deferred one message: the element of operator state. Immutable. */
final class DeferralCount {

    private final String consumerGroup;
    private final String messageId;
    private final int count;

    /**
     * @param count at least 1
     */
    DeferralCount(String consumerGroup, String messageId, int count) {
        this.consumerGroup = Objects.requireNonNull(consumerGroup, "consumerGroup");
        this.messageId = Objects.requireNonNull(messageId, "messageId");
        this.count = count;
        if (count < 1) {
            throw new IllegalArgumentException("count " + count + " (expected: at least 1)");
        }
    }

    String consumerGroup() {
        return consumerGroup;
    }

    String messageId() {
        return messageId;
    }

    int count() {
        return count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeferralCount
                && count == ((DeferralCount) other).count
                && messageId.equals(((DeferralCount) other).messageId)
                && consumerGroup.equals(((DeferralCount) other).consumerGroup);
    }

    @Override
    public int hashCode() {
        return Objects.hash(consumerGroup, messageId, count);
    }

    @Override
    public String toString() {
        return "DeferralCount{" + consumerGroup + ", messageId=" + messageId + ", " + count + '}';
    }
}
