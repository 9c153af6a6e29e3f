/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.deserializer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.Internal;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/** Shows a {@link LiteMessage} to a deserialization schema. Immutable as far as the message is. */
@Internal
public final class LiteMessageView implements RocketMQMessageView {

    private final String topic;
    private final LiteMessage message;

    /**
     * @param topic the main topic; what the message itself names may be a retry topic
     * @param message not null
     */
    public LiteMessageView(String topic, LiteMessage message) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.message = Objects.requireNonNull(message, "message");
    }

    @Override
    public String getTopic() {
        return topic;
    }

    @Override
    public String getLiteTopic() {
        return message.liteTopic();
    }

    @Override
    public String getMessageId() {
        return message.messageId();
    }

    @Override
    public byte[] getBody() {
        return message.body();
    }

    @Nullable
    @Override
    public String getTag() {
        return message.tag();
    }

    @Override
    public List<String> getKeys() {
        return message.keys();
    }

    @Override
    public Map<String, String> getProperties() {
        return message.properties();
    }

    @Override
    public long getBornTimestamp() {
        return message.bornTimestamp();
    }

    @Override
    public int getDeliveryAttempt() {
        return message.deliveryAttempt();
    }

    /** Names the message; never shows its body. */
    @Override
    public String toString() {
        return message.toString();
    }
}
