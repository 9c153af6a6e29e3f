/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Set;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;

/**
 * A proxy of another process, asked for routes. The protocol has no question about groups; a new
 * group is read by the proxy at its first use, a changed one within its cache period.
 */
final class RemoteProxyView implements ProxyView {

    private final ProxyClient client;

    RemoteProxyView(ProxyClient client) {
        this.client = client;
    }

    @Override
    public boolean seesTopic(String topic, String messageType, Set<String> brokers) {
        return client.route(topic).isExactly(messageType, brokers);
    }

    @Override
    public boolean seesNoTopic(String topic) {
        return client.route(topic).isEmpty();
    }

    @Override
    public boolean seesGroup(SubscriptionGroupConfig config) {
        return true;
    }
}
