/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * Everything an operator on any machine needs to acknowledge or defer one received message.
 *
 * <p>It names the message, the delivery it came with and where to send the answer. It holds no
 * credential and no body; the receipt handle string inside is a capability for this one delivery
 * and is left out of {@link #toString()}. Immutable and thread-safe; equal by value.
 *
 * <p>On the server the messages of one lite topic in one answer form a <i>delivery</i>: nothing
 * more of that lite topic is delivered until each of them is acked or visible again.
 */
@PublicEvolving
@TypeInfo(RocketMQReceiptHandleTypeInfoFactory.class)
public final class RocketMQReceiptHandle implements Serializable {

    private static final long serialVersionUID = 1L;

    private final String endpoint;
    private final String namespace;
    private final String consumerGroup;
    private final String topic;
    private final String liteTopic;
    private final String messageId;
    private final String receiptHandle;
    private final String broker;
    private final int deliveryAttempt;
    private final long deliveryId;
    private final int indexInDelivery;
    private final boolean lastInDelivery;
    private final long bornTimestamp;
    private final long leaseEndMillis;
    private final int part;
    private final int parts;
    private final ArrayList<ExtraReceipt> extraReceipts;

    private RocketMQReceiptHandle(Builder b) {
        this.endpoint = Objects.requireNonNull(b.endpoint, "endpoint");
        this.namespace = Objects.requireNonNull(b.namespace, "namespace");
        this.consumerGroup = Objects.requireNonNull(b.consumerGroup, "consumerGroup");
        this.topic = Objects.requireNonNull(b.topic, "topic");
        this.liteTopic = Objects.requireNonNull(b.liteTopic, "liteTopic");
        this.messageId = Objects.requireNonNull(b.messageId, "messageId");
        this.receiptHandle = Objects.requireNonNull(b.receiptHandle, "receiptHandle");
        this.broker = Objects.requireNonNull(b.broker, "broker");
        this.deliveryAttempt = b.deliveryAttempt;
        this.deliveryId = b.deliveryId;
        this.indexInDelivery = b.indexInDelivery;
        this.lastInDelivery = b.lastInDelivery;
        this.bornTimestamp = b.bornTimestamp;
        this.leaseEndMillis = b.leaseEndMillis;
        this.part = b.part;
        this.parts = b.parts;
        this.extraReceipts = new ArrayList<>(b.extraReceipts);
        if (indexInDelivery < 0 || parts < 1 || part < 0 || part >= parts) {
            throw new IllegalArgumentException(
                    "index "
                            + indexInDelivery
                            + ", part "
                            + part
                            + " of "
                            + parts
                            + " (expected: index from 0, part from 0 to parts - 1)");
        }
    }

    /** A builder without any value set; all strings are required. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this handle's values. */
    public Builder toBuilder() {
        return new Builder()
                .route(endpoint, namespace, consumerGroup)
                .message(topic, liteTopic, messageId)
                .receipt(receiptHandle, leaseEndMillis)
                .delivery(broker, deliveryId, deliveryAttempt)
                .place(indexInDelivery, lastInDelivery)
                .bornTimestamp(bornTimestamp)
                .part(part, parts)
                .extraReceipts(extraReceipts);
    }

    /** Proxy endpoints in normal form; with namespace and group the routing triple. */
    public String getEndpoint() {
        return endpoint;
    }

    /** Namespace, empty for none. */
    public String getNamespace() {
        return namespace;
    }

    /** Consumer group that received the message. */
    public String getConsumerGroup() {
        return consumerGroup;
    }

    /** Main topic. */
    public String getTopic() {
        return topic;
    }

    /** Lite topic. */
    public String getLiteTopic() {
        return liteTopic;
    }

    /** Message id. */
    public String getMessageId() {
        return messageId;
    }

    /** The server's receipt handle of this delivery of the message. */
    public String getReceiptHandle() {
        return receiptHandle;
    }

    /** Name of the broker that holds the lite topic; empty if unknown. */
    public String getBroker() {
        return broker;
    }

    /**
     * How often the server says it delivered the message, from 1. It is 1 again whenever a
     * redelivery carries a new message, so it is no safety valve.
     */
    public int getDeliveryAttempt() {
        return deliveryAttempt;
    }

    /** Number of the delivery; a later delivery of the lite topic has a larger one. */
    public long getDeliveryId() {
        return deliveryId;
    }

    /** Place among the emitted messages of its delivery, from 0, without holes. */
    public int getIndexInDelivery() {
        return indexInDelivery;
    }

    /** True if it is known to be the last emitted message of its delivery. */
    public boolean isLastInDelivery() {
        return lastInDelivery;
    }

    /** When the producer made the message, milliseconds since the epoch on its clock. */
    public long getBornTimestamp() {
        return bornTimestamp;
    }

    /**
     * When the message becomes visible to others, milliseconds since the epoch on the clock of the
     * machine that received it.
     */
    public long getLeaseEndMillis() {
        return leaseEndMillis;
    }

    /** Which record of the message this is, from 0. */
    public int getPart() {
        return part;
    }

    /** How many records the message yielded, from 1; it is settled when all of them are. */
    public int getParts() {
        return parts;
    }

    /**
     * Messages of its delivery that yielded no record and are settled together with it: those
     * before it and, on the last emitted message, those after it; unmodifiable, usually empty.
     */
    public List<ExtraReceipt> getExtraReceipts() {
        return Collections.unmodifiableList(extraReceipts);
    }

    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (!(other instanceof RocketMQReceiptHandle)) {
            return false;
        }
        RocketMQReceiptHandle that = (RocketMQReceiptHandle) other;
        return deliveryAttempt == that.deliveryAttempt
                && deliveryId == that.deliveryId
                && indexInDelivery == that.indexInDelivery
                && lastInDelivery == that.lastInDelivery
                && bornTimestamp == that.bornTimestamp
                && leaseEndMillis == that.leaseEndMillis
                && part == that.part
                && parts == that.parts
                && messageId.equals(that.messageId)
                && receiptHandle.equals(that.receiptHandle)
                && liteTopic.equals(that.liteTopic)
                && topic.equals(that.topic)
                && broker.equals(that.broker)
                && consumerGroup.equals(that.consumerGroup)
                && namespace.equals(that.namespace)
                && endpoint.equals(that.endpoint)
                && extraReceipts.equals(that.extraReceipts);
    }

    @Override
    public int hashCode() {
        return Objects.hash(messageId, receiptHandle, liteTopic, deliveryId, part);
    }

    @Override
    public String toString() {
        return "RocketMQReceiptHandle{"
                + topic
                + "/"
                + liteTopic
                + ", messageId="
                + messageId
                + ", group="
                + consumerGroup
                + ", delivery="
                + deliveryId
                + "#"
                + indexInDelivery
                + (parts > 1 ? ", part=" + part + "/" + parts : "")
                + ", attempt="
                + deliveryAttempt
                + '}';
    }

    /** Receipt of a message that yielded no record. Immutable. */
    public static final class ExtraReceipt implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String messageId;
        private final String receiptHandle;

        /** Neither may be null. */
        public ExtraReceipt(String messageId, String receiptHandle) {
            this.messageId = Objects.requireNonNull(messageId, "messageId");
            this.receiptHandle = Objects.requireNonNull(receiptHandle, "receiptHandle");
        }

        /** Message id. */
        public String getMessageId() {
            return messageId;
        }

        /** The server's receipt handle. */
        public String getReceiptHandle() {
            return receiptHandle;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof ExtraReceipt
                    && messageId.equals(((ExtraReceipt) other).messageId)
                    && receiptHandle.equals(((ExtraReceipt) other).receiptHandle);
        }

        @Override
        public int hashCode() {
            return 31 * messageId.hashCode() + receiptHandle.hashCode();
        }

        @Override
        public String toString() {
            return "ExtraReceipt{messageId=" + messageId + '}';
        }
    }

    /** Builds a {@link RocketMQReceiptHandle}. Not thread-safe. */
    public static final class Builder {
        private String endpoint;
        private String namespace = "";
        private String consumerGroup;
        private String topic;
        private String liteTopic;
        private String messageId;
        private String receiptHandle;
        private String broker = "";
        private int deliveryAttempt = 1;
        private long deliveryId;
        private int indexInDelivery;
        private boolean lastInDelivery;
        private long bornTimestamp;
        private long leaseEndMillis;
        private int part;
        private int parts = 1;
        private List<ExtraReceipt> extraReceipts = Collections.emptyList();

        private Builder() {}

        /** The routing triple: endpoints in normal form, namespace (null = none), group. */
        public Builder route(String endpoint, String namespace, String consumerGroup) {
            this.endpoint = endpoint;
            this.namespace = namespace == null ? "" : namespace;
            this.consumerGroup = consumerGroup;
            return this;
        }

        /** Which message. */
        public Builder message(String topic, String liteTopic, String messageId) {
            this.topic = topic;
            this.liteTopic = liteTopic;
            this.messageId = messageId;
            return this;
        }

        /** The server's receipt handle and the end of its lease. */
        public Builder receipt(String receiptHandle, long leaseEndMillis) {
            this.receiptHandle = receiptHandle;
            this.leaseEndMillis = leaseEndMillis;
            return this;
        }

        /** The delivery the message came with. */
        public Builder delivery(String broker, long deliveryId, int deliveryAttempt) {
            this.broker = broker;
            this.deliveryId = deliveryId;
            this.deliveryAttempt = deliveryAttempt;
            return this;
        }

        /** Place among the emitted messages of the delivery; default the first. */
        public Builder place(int indexInDelivery, boolean lastInDelivery) {
            this.indexInDelivery = indexInDelivery;
            this.lastInDelivery = lastInDelivery;
            return this;
        }

        /** Born timestamp, milliseconds since the epoch. */
        public Builder bornTimestamp(long bornTimestamp) {
            this.bornTimestamp = bornTimestamp;
            return this;
        }

        /** Which of how many records of the message; default the only one. */
        public Builder part(int part, int parts) {
            this.part = part;
            this.parts = parts;
            return this;
        }

        /** Messages settled together with this one; default none. */
        public Builder extraReceipts(List<ExtraReceipt> extraReceipts) {
            this.extraReceipts = Objects.requireNonNull(extraReceipts, "extraReceipts");
            return this;
        }

        /** Builds it. */
        public RocketMQReceiptHandle build() {
            return new RocketMQReceiptHandle(this);
        }
    }
}
