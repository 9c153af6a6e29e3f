/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.SystemProperties;
import com.google.protobuf.util.Timestamps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/** Turns the messages of one answer into {@link LiteMessage}s. Used on the I/O thread. */
final class MessageReader {

    /** What server 5.5.0 mixes in among the user's properties. */
    private static final Set<String> SERVER_PROPERTIES =
            Set.of("INNER_MULTI_DISPATCH", "INNER_MULTI_QUEUE_OFFSET");

    private final String topic;
    private final ReceiptHandles handles = new ReceiptHandles();

    /**
     * @param topic the main topic that was asked for; a redelivered message may name another, and
     *     only this one settles it
     */
    MessageReader(String topic) {
        this.topic = topic;
    }

    /** Reads an answer that is complete. */
    List<LiteMessage> read(
            List<Message> messages, String broker, long leaseEndMillis, long nowMillis) {
        List<LiteMessage> read = new ArrayList<>(messages.size());
        Map<String, Long> localIds = new HashMap<>();
        for (Message message : messages) {
            SystemProperties properties = message.getSystemProperties();
            long deliveryId = ReceiptHandles.popTime(properties.getReceiptHandle());
            if (deliveryId <= 0) {
                deliveryId =
                        localIds.computeIfAbsent(
                                properties.getLiteTopic(), name -> handles.nextLocal(nowMillis));
            }
            BodyReader body = BodyReader.read(message.getBody(), properties);
            read.add(
                    LiteMessage.builder()
                            .from(topic, properties.getLiteTopic())
                            .messageId(properties.getMessageId())
                            .receiptHandle(properties.getReceiptHandle())
                            .position(broker, deliveryId, properties.getQueueOffset())
                            .deliveryAttempt(Math.max(1, properties.getDeliveryAttempt()))
                            .body(body.body(), body.intact())
                            .tag(properties.hasTag() ? properties.getTag() : null)
                            .keys(new ArrayList<>(properties.getKeysList()))
                            .properties(userProperties(message))
                            .bornTimestamp(Timestamps.toMillis(properties.getBornTimestamp()))
                            .leaseEndMillis(leaseEndMillis)
                            .build());
        }
        return read;
    }

    /** One message of each delivery among these: a deferral of it with {@code suspend} does all. */
    List<AckEntry> firstOfEachDelivery(List<Message> messages) {
        Map<String, AckEntry> first = new LinkedHashMap<>();
        for (Message message : messages) {
            SystemProperties properties = message.getSystemProperties();
            first.putIfAbsent(
                    properties.getLiteTopic(),
                    new AckEntry(
                            topic,
                            properties.getLiteTopic(),
                            properties.getMessageId(),
                            properties.getReceiptHandle()));
        }
        return new ArrayList<>(first.values());
    }

    private static Map<String, String> userProperties(Message message) {
        Map<String, String> properties = new LinkedHashMap<>(message.getUserPropertiesMap());
        properties.keySet().removeAll(SERVER_PROPERTIES);
        return properties;
    }
}
