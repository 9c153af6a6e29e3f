/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.FilterExpression;
import apache.rocketmq.v2.FilterType;
import apache.rocketmq.v2.Settings;
import apache.rocketmq.v2.Subscription;
import apache.rocketmq.v2.SubscriptionEntry;
import java.time.Duration;
import java.util.List;
import org.apache.rocketmq.grpc.lite.Endpoints;

/** How members of a lite group introduce themselves, receiving or not. Stateless. */
final class ConsumerSettings {

    /** The type made for this, then the one that server 5.5.0 takes with the same RPCs. */
    static final List<ClientType> TYPES =
            List.of(ClientType.LITE_SIMPLE_CONSUMER, ClientType.LITE_PUSH_CONSUMER);

    /** Matches every message. */
    static final FilterExpression EVERYTHING =
            FilterExpression.newBuilder().setType(FilterType.TAG).setExpression("*").build();

    private ConsumerSettings() {}

    /** The settings; exactly one subscription entry, since servers look at the first only. */
    static Settings create(
            ClientType type,
            Endpoints.Address address,
            Subscription.Builder subscription,
            Duration requestTimeout) {
        return Settings.newBuilder()
                .setClientType(type)
                .setAccessPoint(Requests.accessPoint(address))
                .setRequestTimeout(Requests.duration(requestTimeout))
                .setUserAgent(Requests.userAgent())
                .setSubscription(subscription)
                .build();
    }

    /** The subscription of a group to all messages of a topic. */
    static Subscription.Builder subscription(
            String namespace, String topic, String group, Duration longPolling) {
        return Subscription.newBuilder()
                .setGroup(Requests.resource(namespace, group))
                .addSubscriptions(
                        SubscriptionEntry.newBuilder()
                                .setTopic(Requests.resource(namespace, topic))
                                .setExpression(EVERYTHING))
                .setLongPollingTimeout(Requests.duration(longPolling));
    }
}
