/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;

/**
 * How often each refused message was deferred: the valve that the server's delivery attempt cannot
 * be.
 *
 * <p>On restore every subtask reads all counts, because any of them may meet the message again. A
 * count nobody has touched since is written back by one subtask only, its custodian by hash, so
 * that state does not grow with each restart. An entry ends an hour after the message should have
 * come back; beyond the bound the one touched longest ago is forgotten and counted, and its message
 * starts again from 0. For one thread.
 */
final class DeferralCounts {

    private static final Duration RETENTION = Duration.ofHours(1);

    private final ExpiringMap<Message, Count> counts;
    private final int subtask;
    private final int subtasks;

    /**
     * @param maxMessages bound of the entries
     * @param evicted counts what the bound forgot
     * @param subtask index of this subtask
     * @param subtasks how many there are
     */
    DeferralCounts(int maxMessages, Counter evicted, int subtask, int subtasks) {
        this.counts = new ExpiringMap<>(maxMessages, evicted);
        this.subtask = subtask;
        this.subtasks = subtasks;
    }

    /** How often the message was deferred. */
    int of(RocketMQReceiptHandle handle, long now) {
        Count count = counts.get(new Message(handle), now);
        return count == null ? 0 : count.value;
    }

    /** One deferral more. */
    void increment(RocketMQReceiptHandle handle, Duration deferral, long now) {
        Message message = new Message(handle);
        Count before = counts.get(message, now);
        int value = before == null ? 1 : before.value + 1;
        long end = now + deferral.toMillis() + RETENTION.toMillis();
        counts.put(message, new Count(value, false), end, now);
    }

    /** The message went on by the policy's will: whatever comes later is another story. */
    void forget(RocketMQReceiptHandle handle) {
        counts.remove(new Message(handle));
    }

    /** What belongs into the state of this subtask. */
    List<DeferralCount> snapshot(long now) {
        List<DeferralCount> snapshot = new ArrayList<>(counts.size());
        counts.forEach(
                now,
                (message, count) -> {
                    if (!count.restored || isCustodian(message)) {
                        snapshot.add(
                                new DeferralCount(message.group, message.messageId, count.value));
                    }
                });
        return snapshot;
    }

    /** Takes over the state of all subtasks; of two counts of a message the larger one holds. */
    void restore(Iterable<DeferralCount> state, long now) {
        for (DeferralCount restored : state) {
            Message message = new Message(restored.consumerGroup(), restored.messageId());
            Count present = counts.get(message, now);
            if (present == null || present.value < restored.count()) {
                counts.put(
                        message,
                        new Count(restored.count(), true),
                        now + RETENTION.toMillis(),
                        now);
            }
        }
    }

    int size() {
        return counts.size();
    }

    private boolean isCustodian(Message message) {
        return Math.floorMod(message.hashCode(), subtasks) == subtask;
    }

    /** A message as one group sees it. Immutable, equal by value. */
    private static final class Message {
        private final String group;
        private final String messageId;

        private Message(RocketMQReceiptHandle handle) {
            this(handle.getConsumerGroup(), handle.getMessageId());
        }

        private Message(String group, String messageId) {
            this.group = group;
            this.messageId = messageId;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Message
                    && messageId.equals(((Message) other).messageId)
                    && group.equals(((Message) other).group);
        }

        @Override
        public int hashCode() {
            return Objects.hash(group, messageId);
        }
    }

    /** A count, and whether it is untouched since the restore. Immutable. */
    private static final class Count {
        private final int value;
        private final boolean restored;

        private Count(int value, boolean restored) {
            this.value = value;
            this.restored = restored;
        }
    }
}
