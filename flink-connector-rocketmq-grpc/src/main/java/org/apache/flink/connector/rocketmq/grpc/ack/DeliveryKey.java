/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.Objects;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** Names one delivery within a session. Immutable; equal by value. */
final class DeliveryKey {

    private static final long ANY_DELIVERY = -1;

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

    /** Names its lite topic at its broker, whatever the delivery. */
    DeliveryKey liteTopicKey() {
        return new DeliveryKey(topic, liteTopic, broker, ANY_DELIVERY);
    }

    /** Grows with each delivery of the lite topic. */
    long deliveryId() {
        return deliveryId;
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

    /** For logs: topic and lite topic. */
    @Override
    public String toString() {
        return "topic " + topic + ", lite topic " + liteTopic;
    }

    @Override
    public int hashCode() {
        return Objects.hash(liteTopic, deliveryId, broker, topic);
    }
}
