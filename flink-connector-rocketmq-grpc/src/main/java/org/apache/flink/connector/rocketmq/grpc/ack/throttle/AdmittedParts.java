/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.Objects;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;

/**
 * Remembers messages that yielded several records and of which the first went on: the other records
 * follow it unasked and the same way, because a message is deferred as a whole and what went on
 * cannot be taken back. Messages of one record leave no trace.
 *
 * <p>An entry ends with its last record, else with the lease but not within a minute; beyond the
 * bound the oldest is forgotten and counted. For one thread.
 */
final class AdmittedParts {

    private static final Duration GRACE = Duration.ofMinutes(1);

    private final ExpiringMap<Place, Rest> missing;

    AdmittedParts(int maxMessages, Counter evicted) {
        this.missing = new ExpiringMap<>(maxMessages, evicted);
    }

    /** How another record of the message went on; null if none did. */
    ThrottleDecision decided(RocketMQReceiptHandle handle, long now) {
        Rest rest = handle.getParts() == 1 ? null : missing.get(new Place(handle), now);
        return rest == null ? null : rest.decision;
    }

    /** A record of the message goes on. */
    void goesOn(RocketMQReceiptHandle handle, ThrottleDecision decision, long now) {
        if (handle.getParts() == 1) {
            return;
        }
        Place place = new Place(handle);
        Rest before = missing.get(place, now);
        int records = (before == null ? handle.getParts() : before.records) - 1;
        if (records == 0) {
            missing.remove(place);
        } else {
            long end = Math.max(handle.getLeaseEndMillis(), now + GRACE.toMillis());
            missing.put(place, new Rest(records, decision), end, now);
        }
    }

    int size() {
        return missing.size();
    }

    /** How many records of a message are missing, and what was decided about it. Immutable. */
    private static final class Rest {
        private final int records;
        private final ThrottleDecision decision;

        private Rest(int records, ThrottleDecision decision) {
            this.records = records;
            this.decision = decision;
        }
    }

    /** A message in its delivery. Immutable, equal by value. */
    private static final class Place {
        private final LiteTopicKey liteTopic;
        private final long deliveryId;
        private final int index;

        private Place(RocketMQReceiptHandle handle) {
            this.liteTopic = LiteTopicKey.of(handle);
            this.deliveryId = handle.getDeliveryId();
            this.index = handle.getIndexInDelivery();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place
                    && deliveryId == ((Place) other).deliveryId
                    && index == ((Place) other).index
                    && liteTopic.equals(((Place) other).liteTopic);
        }

        @Override
        public int hashCode() {
            return Objects.hash(liteTopic, deliveryId, index);
        }
    }
}
