/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Objects;

/** What the broker said of a stored message. Immutable. */
public final class SendReceipt {

    private final String messageId;
    private final long offset;

    /**
     * @param messageId id the message is known by, not null
     * @param offset offset the broker reports
     */
    public SendReceipt(String messageId, long offset) {
        this.messageId = Objects.requireNonNull(messageId, "messageId");
        this.offset = offset;
    }

    /** Id the message is known by. */
    public String messageId() {
        return messageId;
    }

    /** Offset the broker reports. */
    public long offset() {
        return offset;
    }

    @Override
    public String toString() {
        return "SendReceipt{messageId=" + messageId + ", offset=" + offset + '}';
    }
}
