/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * The pending receipt handles of one delivery: an element of operator state. They stay together
 * when the state is split for another parallelism, so that one subtask acks them in order.
 * Immutable; equal by value.
 */
final class PendingDelivery {

    private final List<RocketMQReceiptHandle> handles;

    PendingDelivery(List<RocketMQReceiptHandle> handles) {
        this.handles = Collections.unmodifiableList(new ArrayList<>(handles));
    }

    List<RocketMQReceiptHandle> handles() {
        return handles;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PendingDelivery
                && handles.equals(((PendingDelivery) other).handles);
    }

    @Override
    public int hashCode() {
        return handles.hashCode();
    }

    @Override
    public String toString() {
        return "PendingDelivery" + handles;
    }
}
