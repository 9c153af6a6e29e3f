/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A received message.
 *
 * <p>Immutable by convention: {@link #body()} gives the array itself, and whoever gets the message
 * owns it.
 */
public final class LiteMessage {

    private final String topic;
    private final String liteTopic;
    private final String messageId;
    private final String receiptHandle;
    private final String broker;
    private final long deliveryId;
    private final long offset;
    private final int deliveryAttempt;
    private final byte[] body;
    private final boolean bodyIntact;
    private final String tag;
    private final List<String> keys;
    private final Map<String, String> properties;
    private final long bornTimestamp;
    private final long leaseEndMillis;

    private LiteMessage(Builder b) {
        this.topic = Objects.requireNonNull(b.topic, "topic");
        this.liteTopic = Objects.requireNonNull(b.liteTopic, "liteTopic");
        this.messageId = Objects.requireNonNull(b.messageId, "messageId");
        this.receiptHandle = Objects.requireNonNull(b.receiptHandle, "receiptHandle");
        this.broker = Objects.requireNonNull(b.broker, "broker");
        this.body = Objects.requireNonNull(b.body, "body");
        this.keys = Collections.unmodifiableList(b.keys);
        this.properties = Collections.unmodifiableMap(b.properties);
        this.deliveryId = b.deliveryId;
        this.offset = b.offset;
        this.deliveryAttempt = b.deliveryAttempt;
        this.bodyIntact = b.bodyIntact;
        this.tag = b.tag;
        this.bornTimestamp = b.bornTimestamp;
        this.leaseEndMillis = b.leaseEndMillis;
    }

    /**
     * This message after its invisible duration was changed.
     *
     * @param newHandle the handle that the server gave for it
     * @param newLeaseEndMillis when it becomes visible to others now, on this machine's clock
     */
    public LiteMessage withReceipt(String newHandle, long newLeaseEndMillis) {
        return builder()
                .from(topic, liteTopic)
                .messageId(messageId)
                .receiptHandle(newHandle)
                .position(broker, deliveryId, offset)
                .deliveryAttempt(deliveryAttempt)
                .body(body, bodyIntact)
                .tag(tag)
                .keys(keys)
                .properties(properties)
                .bornTimestamp(bornTimestamp)
                .leaseEndMillis(newLeaseEndMillis)
                .build();
    }

    /** A builder, for the client and for test doubles of it. */
    public static Builder builder() {
        return new Builder();
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

    /** The receipt handle of this delivery, to ack or defer with. */
    public String receiptHandle() {
        return receiptHandle;
    }

    /** Name of the broker that holds the lite topic. */
    public String broker() {
        return broker;
    }

    /**
     * Number of the delivery this message came with: the messages of one lite topic in one answer
     * share it, a later delivery of the lite topic from the same broker has a larger one.
     */
    public long deliveryId() {
        return deliveryId;
    }

    /** Offset inside the lite topic; gives the order of a delivery. */
    public long offset() {
        return offset;
    }

    /**
     * How often the server says it delivered the message, from 1. Not reliable for lite topics: see
     * the docs before counting on it.
     */
    public int deliveryAttempt() {
        return deliveryAttempt;
    }

    /** The body, decompressed; may have no bytes, never null. The array itself. */
    public byte[] body() {
        return body;
    }

    /** False if the body does not match the digest it came with, or could not be decompressed. */
    public boolean isBodyIntact() {
        return bodyIntact;
    }

    /** The tag; null if the message has none. */
    public String tag() {
        return tag;
    }

    /** The keys; empty if there are none. */
    public List<String> keys() {
        return keys;
    }

    /** The user properties; empty if there are none. */
    public Map<String, String> properties() {
        return properties;
    }

    /** When the producer made it, milliseconds since the epoch on its clock. */
    public long bornTimestamp() {
        return bornTimestamp;
    }

    /**
     * When it becomes visible to others, milliseconds since the epoch on this machine's clock:
     * arrival of the answer plus invisible duration.
     */
    public long leaseEndMillis() {
        return leaseEndMillis;
    }

    @Override
    public String toString() {
        return "LiteMessage{"
                + topic
                + "/"
                + liteTopic
                + ", messageId="
                + messageId
                + ", offset="
                + offset
                + ", attempt="
                + deliveryAttempt
                + ", "
                + body.length
                + " bytes}";
    }

    /** Builds a {@link LiteMessage}. Not thread-safe; takes arrays and collections as they are. */
    public static final class Builder {
        private String topic;
        private String liteTopic;
        private String messageId;
        private String receiptHandle;
        private String broker = "";
        private long deliveryId;
        private long offset;
        private int deliveryAttempt = 1;
        private byte[] body = new byte[0];
        private boolean bodyIntact = true;
        private String tag;
        private List<String> keys = Collections.emptyList();
        private Map<String, String> properties = Collections.emptyMap();
        private long bornTimestamp;
        private long leaseEndMillis;

        private Builder() {}

        /** Main topic and lite topic; required. */
        public Builder from(String topic, String liteTopic) {
            this.topic = topic;
            this.liteTopic = liteTopic;
            return this;
        }

        /** Message id; required. */
        public Builder messageId(String messageId) {
            this.messageId = messageId;
            return this;
        }

        /** Receipt handle; required. */
        public Builder receiptHandle(String receiptHandle) {
            this.receiptHandle = receiptHandle;
            return this;
        }

        /** Where it stands: broker, delivery and offset in the lite topic. */
        public Builder position(String broker, long deliveryId, long offset) {
            this.broker = broker;
            this.deliveryId = deliveryId;
            this.offset = offset;
            return this;
        }

        /** Delivery attempt, from 1. */
        public Builder deliveryAttempt(int deliveryAttempt) {
            this.deliveryAttempt = deliveryAttempt;
            return this;
        }

        /** The body and whether it matches its digest. */
        public Builder body(byte[] body, boolean intact) {
            this.body = body;
            this.bodyIntact = intact;
            return this;
        }

        /** The tag; null for none. */
        public Builder tag(String tag) {
            this.tag = tag;
            return this;
        }

        /** The keys. */
        public Builder keys(List<String> keys) {
            this.keys = keys;
            return this;
        }

        /** The user properties. */
        public Builder properties(Map<String, String> properties) {
            this.properties = properties;
            return this;
        }

        /** Born timestamp, milliseconds since the epoch. */
        public Builder bornTimestamp(long bornTimestamp) {
            this.bornTimestamp = bornTimestamp;
            return this;
        }

        /** End of the invisible duration on the local clock, milliseconds since the epoch. */
        public Builder leaseEndMillis(long leaseEndMillis) {
            this.leaseEndMillis = leaseEndMillis;
            return this;
        }

        /** Builds it. */
        public LiteMessage build() {
            return new LiteMessage(this);
        }
    }
}
