/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/** Consumer groups of a cluster, through the admin protocol. */
final class GroupAdmin {

    /** Names that are fields of the group and no attributes, but may be given beside them. */
    private static final String RETRY_MAX_TIMES = "retryMaxTimes";

    private static final String CONSUME_ENABLE = "consumeEnable";

    private final DefaultMQAdminExt admin;
    private final ProxyView proxy;
    private final ClusterAdmin cluster;

    GroupAdmin(DefaultMQAdminExt admin, ProxyView proxy, ClusterAdmin cluster) {
        this.admin = admin;
        this.proxy = proxy;
        this.cluster = cluster;
    }

    void create(String group, Map<String, String> attributes) throws Exception {
        SubscriptionGroupConfig config = new SubscriptionGroupConfig();
        config.setGroupName(group);
        apply(config, attributes);
    }

    void update(String group, Map<String, String> additions, Collection<String> removals)
            throws Exception {
        String anyMaster = cluster.masters().values().iterator().next();
        SubscriptionGroupConfig config = admin.examineSubscriptionGroupConfig(anyMaster, group);
        if (config == null) {
            throw new IllegalArgumentException("there is no group " + group);
        }
        Map<String, String> current = config.getAttributes();
        Map<String, String> changes = new TreeMap<>(additions);
        config.setAttributes(new TreeMap<>());
        for (String removal : removals) {
            if (current.containsKey(removal)) {
                config.getAttributes().put("-" + removal, "");
            }
        }
        apply(config, changes);
    }

    void delete(String group) throws Exception {
        for (String address : cluster.masters().values()) {
            admin.deleteSubscriptionGroup(address, group, true);
        }
    }

    private void apply(SubscriptionGroupConfig config, Map<String, String> values)
            throws Exception {
        Map<String, String> attributes = new TreeMap<>(values);
        String retries = attributes.remove(RETRY_MAX_TIMES);
        if (retries != null) {
            config.setRetryMaxTimes(Integer.parseInt(retries));
        }
        String enabled = attributes.remove(CONSUME_ENABLE);
        if (enabled != null) {
            config.setConsumeEnable(Boolean.parseBoolean(enabled));
        }
        Map<String, String> changes = new TreeMap<>(config.getAttributes());
        changes.putAll(additions(attributes));
        config.setAttributes(changes);
        SubscriptionGroupConfig result = null;
        for (String address : cluster.masters().values()) {
            admin.createAndUpdateSubscriptionGroupConfig(address, config);
            result = admin.examineSubscriptionGroupConfig(address, config.getGroupName());
        }
        SubscriptionGroupConfig expected = result;
        Await.until(
                () -> proxy.seesGroup(expected),
                ClusterAdmin.VISIBLE_WITHIN_SECONDS,
                () -> "the proxy does not see group " + expected.getGroupName() + " as changed");
    }

    /** The admin protocol wants a plus sign before an attribute that is set. */
    static Map<String, String> additions(Map<String, String> attributes) {
        Map<String, String> additions = new TreeMap<>();
        attributes.forEach(
                (key, value) -> additions.put(key.startsWith("+") ? key : "+" + key, value));
        return additions;
    }
}
