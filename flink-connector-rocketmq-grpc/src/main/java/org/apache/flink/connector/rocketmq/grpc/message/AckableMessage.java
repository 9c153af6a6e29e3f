/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.io.Serializable;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A value on its way through the job together with the receipt that settles the message it came
 * from.
 *
 * <p>The source never acknowledges what it emitted: whoever finishes the work acks or defers the
 * {@link #getReceiptHandle() handle}. A message nobody settles is delivered again when its
 * invisible duration ends. Immutable if the value is; {@code Serializable} if the value is.
 *
 * @param <OUT> type of the value
 */
@PublicEvolving
@TypeInfo(AckableMessageTypeInfoFactory.class)
public final class AckableMessage<OUT> implements Serializable {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final OUT value;

    private final RocketMQReceiptHandle receiptHandle;

    /**
     * @param value may be null if its serializer takes null
     * @param receiptHandle not null
     */
    public AckableMessage(OUT value, RocketMQReceiptHandle receiptHandle) {
        this.value = value;
        this.receiptHandle = Objects.requireNonNull(receiptHandle, "receiptHandle");
    }

    /** The value. */
    public OUT getValue() {
        return value;
    }

    /** The receipt; never null. */
    public RocketMQReceiptHandle getReceiptHandle() {
        return receiptHandle;
    }

    /** Shortcut to the lite topic the message came from: the usual key. */
    public String getLiteTopic() {
        return receiptHandle.getLiteTopic();
    }

    /**
     * The same receipt with another value.
     *
     * @param newValue the value after a transformation
     * @param <T> its type
     */
    public <T> AckableMessage<T> withValue(T newValue) {
        return new AckableMessage<>(newValue, receiptHandle);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AckableMessage
                && Objects.equals(value, ((AckableMessage<?>) other).value)
                && receiptHandle.equals(((AckableMessage<?>) other).receiptHandle);
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hashCode(value) + receiptHandle.hashCode();
    }

    /** Names the message, not the value: a payload does not belong in a log. */
    @Override
    public String toString() {
        return "AckableMessage{" + receiptHandle + '}';
    }
}
