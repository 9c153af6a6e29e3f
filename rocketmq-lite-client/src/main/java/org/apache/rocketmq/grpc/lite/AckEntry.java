/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Objects;
import org.apache.rocketmq.grpc.lite.internal.GrpcLiteAcknowledger;

/** Names one delivered message towards the server: what an ack or a deferral needs. Immutable. */
public final class AckEntry {

    private final String topic;
    private final String liteTopic;
    private final String messageId;
    private final String receiptHandle;

    /**
     * @param topic the main topic, not null
     * @param liteTopic the lite topic the message came from, not null; the server cannot settle the
     *     message without it
     * @param messageId not null
     * @param receiptHandle the newest handle of this delivery, not null
     */
    public AckEntry(String topic, String liteTopic, String messageId, String receiptHandle) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.liteTopic = Objects.requireNonNull(liteTopic, "liteTopic");
        this.messageId = Objects.requireNonNull(messageId, "messageId");
        this.receiptHandle = Objects.requireNonNull(receiptHandle, "receiptHandle");
    }

    /** The main topic. */
    public String topic() {
        return topic;
    }

    /** The lite topic. */
    public String liteTopic() {
        return liteTopic;
    }

    /** The message id. */
    public String messageId() {
        return messageId;
    }

    /** The receipt handle; a capability, so it is left out of {@link #toString()}. */
    public String receiptHandle() {
        return receiptHandle;
    }

    /**
     * How long the message stays invisible in all, counted from its delivery and extensions
     * included, in milliseconds; 0 if the handle does not tell.
     */
    public long invisibleMillis() {
        return GrpcLiteAcknowledger.invisibleMillis(receiptHandle);
    }

    @Override
    public String toString() {
        return "AckEntry{" + topic + "/" + liteTopic + ", messageId=" + messageId + '}';
    }
}
