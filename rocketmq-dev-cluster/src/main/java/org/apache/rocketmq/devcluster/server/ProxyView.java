/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Set;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;

/** What the proxy, with its caches, knows by now about an administrative change. */
interface ProxyView {

    /** Whether the topic is routed to exactly these brokers and carries this type. */
    boolean seesTopic(String topic, String messageType, Set<String> brokers);

    boolean seesNoTopic(String topic);

    /** Whether the group has the attributes and settings of this configuration. */
    boolean seesGroup(SubscriptionGroupConfig config);
}
