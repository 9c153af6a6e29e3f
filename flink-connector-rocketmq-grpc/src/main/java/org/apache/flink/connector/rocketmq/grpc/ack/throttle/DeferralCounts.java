/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;

/**
 * How often each refused message was deferred: the valve that the server's delivery attempt cannot
 * be.
 *
 * <p>On restore every subtask reads all counts, because any of them may meet the message again. A
 * count nobody has touched since is written back by one subtask only, its custodian by hash, so
 * that state does not grow with each restart. If all of it is more than the bound, the smaller
 * counts are left behind, the same ones in every subtask. An entry ends an hour after the message
 * should have come back; beyond the bound the one touched longest ago is forgotten and counted, and
 * its message starts again from 0. For one thread.
 */
final class DeferralCounts {

    private static final Duration RETENTION = Duration.ofHours(1);

    private final ExpiringMap<Message, Count> counts;
    private final int maxMessages;
    private final Counter evicted;
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
        this.maxMessages = maxMessages;
        this.evicted = evicted;
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

    /**
     * Takes over the state of all subtasks; of two counts of a message the larger one holds. The
     * state is read several times: if it is too much, the smallest have to give way, and the bound
     * takes what was put first.
     */
    void restore(Iterable<DeferralCount> state, long now) {
        int least = leastRestored(state);
        for (DeferralCount restored : state) {
            if (restored.count() == least) {
                restore(restored, now);
            } else if (restored.count() < least) {
                evicted.inc();
            }
        }
        for (DeferralCount restored : state) {
            if (restored.count() > least) {
                restore(restored, now);
            }
        }
    }

    private void restore(DeferralCount restored, long now) {
        Message message = new Message(restored.consumerGroup(), restored.messageId());
        Count present = counts.get(message, now);
        if (present == null || present.value < restored.count()) {
            long end = now + RETENTION.toMillis();
            counts.put(message, new Count(restored.count(), true), end, now);
        }
    }

    /** The smallest count such that all larger ones fit. */
    private int leastRestored(Iterable<DeferralCount> state) {
        TreeMap<Integer, Integer> messagesByCount = new TreeMap<>(Comparator.reverseOrder());
        for (DeferralCount restored : state) {
            messagesByCount.merge(restored.count(), 1, Integer::sum);
        }
        long larger = 0;
        for (Map.Entry<Integer, Integer> messages : messagesByCount.entrySet()) {
            larger += messages.getValue();
            if (larger >= maxMessages) {
                return messages.getKey();
            }
        }
        return 1;
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
