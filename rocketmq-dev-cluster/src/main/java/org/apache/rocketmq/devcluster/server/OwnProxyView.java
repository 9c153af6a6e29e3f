/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Set;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;

/** The proxy of this process: its routes as clients get them, its groups as it caches them. */
final class OwnProxyView implements ProxyView {

    private final ProxyClient client;
    private final ProxyNode proxy;

    OwnProxyView(ProxyClient client, ProxyNode proxy) {
        this.client = client;
        this.proxy = proxy;
    }

    @Override
    public boolean seesTopic(String topic, String messageType, Set<String> brokers) {
        return client.route(topic).isExactly(messageType, brokers)
                && proxy.topicType(topic).equals(messageType);
    }

    @Override
    public boolean seesNoTopic(String topic) {
        return client.route(topic).isEmpty();
    }

    @Override
    public boolean seesGroup(SubscriptionGroupConfig config) {
        SubscriptionGroupConfig seen = proxy.group(config.getGroupName());
        return seen != null
                && seen.getAttributes().equals(config.getAttributes())
                && seen.getRetryMaxTimes() == config.getRetryMaxTimes()
                && seen.isConsumeEnable() == config.isConsumeEnable();
    }
}
