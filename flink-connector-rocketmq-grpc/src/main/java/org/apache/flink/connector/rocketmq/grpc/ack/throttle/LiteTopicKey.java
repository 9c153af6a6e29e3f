/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.util.Objects;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * A lite topic as one consumer group sees it on one broker: the unit the server keeps in order. Its
 * delivery ids are comparable. Immutable, equal by value.
 */
final class LiteTopicKey {

    private final String endpoint;
    private final String namespace;
    private final String group;
    private final String topic;
    private final String liteTopic;
    private final String broker;

    private LiteTopicKey(RocketMQReceiptHandle handle) {
        this.endpoint = handle.getEndpoint();
        this.namespace = handle.getNamespace();
        this.group = handle.getConsumerGroup();
        this.topic = handle.getTopic();
        this.liteTopic = handle.getLiteTopic();
        this.broker = handle.getBroker();
    }

    static LiteTopicKey of(RocketMQReceiptHandle handle) {
        return new LiteTopicKey(handle);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LiteTopicKey)) {
            return false;
        }
        LiteTopicKey that = (LiteTopicKey) other;
        return liteTopic.equals(that.liteTopic)
                && topic.equals(that.topic)
                && group.equals(that.group)
                && broker.equals(that.broker)
                && namespace.equals(that.namespace)
                && endpoint.equals(that.endpoint);
    }

    @Override
    public int hashCode() {
        return Objects.hash(liteTopic, topic, group, broker);
    }

    @Override
    public String toString() {
        return topic + "/" + liteTopic + "@" + group + " on " + broker;
    }
}
