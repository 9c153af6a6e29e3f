/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.deserializer;

import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;

/** A received message as a deserialization schema sees it. Read only. */
@PublicEvolving
public interface RocketMQMessageView {

    /** The main topic; never null. */
    String getTopic();

    /** The lite topic; never null. */
    String getLiteTopic();

    /** The message id; never null. */
    String getMessageId();

    /** The body, decompressed; may have no bytes, never null. The array itself, not a copy. */
    byte[] getBody();

    /** The tag; null if the message has none. */
    @Nullable
    String getTag();

    /** The keys; unmodifiable, may be empty, never null. */
    List<String> getKeys();

    /** The user properties; unmodifiable, may be empty, never null. */
    Map<String, String> getProperties();

    /** When the producer made the message, milliseconds since the epoch on its clock. */
    long getBornTimestamp();

    /**
     * How often the server says it delivered the message, from 1. It is 1 again whenever a
     * redelivery carries a new message.
     */
    int getDeliveryAttempt();
}
