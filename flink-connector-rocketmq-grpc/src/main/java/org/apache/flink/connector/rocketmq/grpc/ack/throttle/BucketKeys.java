/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.util.HashMap;
import java.util.Map;

/**
 * Names the buckets: a lite topic of a main topic as one group of one cluster sees it. What the
 * lite topics of a source have in common is kept once, however many they are. For one thread.
 */
final class BucketKeys {

    /** Far more sources than a job has; beyond it the sharing begins anew. */
    private static final int MAX_SCOPES = 256;

    private final Map<String, String> scopes = new HashMap<>();

    /** The key of a message's lite topic. */
    Key of(ThrottleContext context) {
        String scope =
                String.join(
                        "\n",
                        context.getEndpoint(),
                        context.getNamespace(),
                        context.getConsumerGroup(),
                        context.getTopic());
        String shared = scopes.get(scope);
        if (shared == null) {
            if (scopes.size() >= MAX_SCOPES) {
                scopes.clear();
            }
            scopes.put(scope, scope);
            shared = scope;
        }
        return new Key(shared, context.getLiteTopic());
    }

    /**
     * Cluster, namespace, group and topic in one, and the lite topic. Immutable, equal by value.
     */
    static final class Key {
        private final String scope;
        private final String liteTopic;

        private Key(String scope, String liteTopic) {
            this.scope = scope;
            this.liteTopic = liteTopic;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key
                    && liteTopic.equals(((Key) other).liteTopic)
                    && scope.equals(((Key) other).scope);
        }

        @Override
        public int hashCode() {
            return 31 * scope.hashCode() + liteTopic.hashCode();
        }
    }
}
