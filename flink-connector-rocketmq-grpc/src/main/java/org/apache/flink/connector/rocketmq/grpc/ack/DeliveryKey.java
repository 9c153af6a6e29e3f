/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.Objects;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** Names one delivery within a session. Immutable; equal by value. */
final class DeliveryKey {

    private final String topic;
    private final String liteTopic;
    private final String broker;
    private final long deliveryId;

    private DeliveryKey(String topic, String liteTopic, String broker, long deliveryId) {
        this.topic = topic;
        this.liteTopic = liteTopic;
        this.broker = broker;
        this.deliveryId = deliveryId;
    }

    static DeliveryKey of(RocketMQReceiptHandle handle) {
        return new DeliveryKey(
                handle.getTopic(),
                handle.getLiteTopic(),
                handle.getBroker(),
                handle.getDeliveryId());
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof DeliveryKey)) {
            return false;
        }
        DeliveryKey that = (DeliveryKey) other;
        return deliveryId == that.deliveryId
                && liteTopic.equals(that.liteTopic)
                && topic.equals(that.topic)
                && broker.equals(that.broker);
    }

    @Override
    public int hashCode() {
        return Objects.hash(liteTopic, deliveryId, broker, topic);
    }
}
