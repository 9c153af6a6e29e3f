/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;

/**
 * Remembers which deliveries were deferred, so that their rest is let go: it comes back after the
 * refused message by the server's own order.
 *
 * <p>One entry per lite topic with a deferral: the newest delivery seen since, and the lowest index
 * that was refused in it. A newer delivery ends the memory of the older one; what still arrives of
 * the older one is a straggler, which the server has delivered again, or will, and is let go too.
 * An entry lasts until the lease ends, and at least a minute beyond the deferral: stragglers are
 * stale however late they are, so its end only frees memory, and a clock that differs from the
 * source's harms nothing. Beyond the bound the oldest entry is forgotten and counted; its rest is
 * then judged by the policy. For one thread.
 */
final class DeferralMemory {

    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final int NOTHING_REFUSED = Integer.MAX_VALUE;

    private final ExpiringMap<LiteTopicKey, Deferred> entries;

    DeferralMemory(int maxLiteTopics, Counter evicted) {
        this.entries = new ExpiringMap<>(maxLiteTopics, evicted);
    }

    /** True if the message comes back with, or came back by, a deferral made earlier. */
    boolean covers(RocketMQReceiptHandle handle, long now) {
        LiteTopicKey key = LiteTopicKey.of(handle);
        Deferred entry = entries.get(key, now);
        if (entry == null || handle.getDeliveryId() < entry.deliveryId) {
            return entry != null;
        }
        if (handle.getDeliveryId() == entry.deliveryId) {
            return handle.getIndexInDelivery() >= entry.fromIndex;
        }
        entries.put(
                key,
                new Deferred(handle.getDeliveryId(), NOTHING_REFUSED, entry.endMillis),
                entry.endMillis,
                now);
        return false;
    }

    /**
     * Notes that a message was refused; to be asked {@link #covers} first.
     *
     * @return true if nothing of its delivery had been refused before
     */
    boolean remember(RocketMQReceiptHandle handle, Duration deferral, long now) {
        LiteTopicKey key = LiteTopicKey.of(handle);
        Deferred entry = entries.get(key, now);
        boolean first =
                entry == null
                        || entry.deliveryId != handle.getDeliveryId()
                        || entry.fromIndex == NOTHING_REFUSED;
        long end =
                Math.max(handle.getLeaseEndMillis(), now + deferral.toMillis() + GRACE.toMillis());
        entries.put(
                key,
                new Deferred(handle.getDeliveryId(), handle.getIndexInDelivery(), end),
                end,
                now);
        return first;
    }

    int size() {
        return entries.size();
    }

    /** The newest delivery of a lite topic and from where on it is deferred. Immutable. */
    private static final class Deferred {
        private final long deliveryId;
        private final int fromIndex;
        private final long endMillis;

        private Deferred(long deliveryId, int fromIndex, long endMillis) {
            this.deliveryId = deliveryId;
            this.fromIndex = fromIndex;
            this.endMillis = endMillis;
        }
    }
}
