/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.Objects;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** Where an answer goes: endpoints, namespace and consumer group. Immutable; equal by value. */
final class AckRoute {

    private final String endpoint;
    private final String namespace;
    private final String group;

    private AckRoute(String endpoint, String namespace, String group) {
        this.endpoint = endpoint;
        this.namespace = namespace;
        this.group = group;
    }

    static AckRoute of(RocketMQReceiptHandle handle) {
        return new AckRoute(handle.getEndpoint(), handle.getNamespace(), handle.getConsumerGroup());
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof AckRoute)) {
            return false;
        }
        AckRoute that = (AckRoute) other;
        return group.equals(that.group)
                && endpoint.equals(that.endpoint)
                && namespace.equals(that.namespace);
    }

    @Override
    public int hashCode() {
        return Objects.hash(endpoint, namespace, group);
    }

    /** For logs: group and endpoints. */
    @Override
    public String toString() {
        return "group " + group + " at " + endpoint + (namespace.isEmpty() ? "" : "/" + namespace);
    }
}
