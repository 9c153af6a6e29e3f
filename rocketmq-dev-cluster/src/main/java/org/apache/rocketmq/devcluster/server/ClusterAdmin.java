/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.common.TopicAttributes;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/**
 * Topics of a cluster, through the admin protocol, so that it works on any cluster whose name
 * server is known. Every change goes to all registered masters and returns when the proxy sees it.
 */
final class ClusterAdmin {

    static final long VISIBLE_WITHIN_SECONDS = 30;

    private static final long REQUEST_TIMEOUT_MS = 15_000;
    private static final int QUEUES = 4;
    private static final String DEFAULT_TYPE = "NORMAL";

    private final DefaultMQAdminExt admin;
    private final ProxyView proxy;
    private final GroupAdmin groups;
    private final LiteAdmin lite;

    private ClusterAdmin(DefaultMQAdminExt admin, ProxyView proxy) {
        this.admin = admin;
        this.proxy = proxy;
        this.groups = new GroupAdmin(admin, proxy, this);
        this.lite = new LiteAdmin(admin);
    }

    /**
     * Connects through the name server.
     *
     * @param keys of a super user; null without access control
     */
    static ClusterAdmin connect(String namesrvAddr, ProxyView proxy, AdminKeys keys)
            throws Exception {
        DefaultMQAdminExt admin =
                new DefaultMQAdminExt(AccessControl.signing(keys), REQUEST_TIMEOUT_MS);
        admin.setNamesrvAddr(namesrvAddr);
        admin.setVipChannelEnabled(false);
        admin.start();
        return new ClusterAdmin(admin, proxy);
    }

    /** A cluster that runs elsewhere: what its proxy sees is asked over gRPC. */
    static ClusterAdmin connect(String namesrvAddr, String endpoint) throws Exception {
        ProxyView proxy = new RemoteProxyView(new ProxyClient(endpoint, null));
        ClusterAdmin admin = connect(namesrvAddr, proxy, null);
        admin.masters();
        return admin;
    }

    GroupAdmin groups() {
        return groups;
    }

    /** Users, as this proxy sees them. */
    UserAdmin users(ProxyNode ownProxy) {
        return new UserAdmin(admin, this, ownProxy);
    }

    LiteAdmin lite() {
        return lite;
    }

    List<String> brokerNames() throws Exception {
        return new ArrayList<>(masters().keySet());
    }

    /** Address of each registered master by broker name. */
    Map<String, String> masters() throws Exception {
        Map<String, String> masters = new TreeMap<>();
        for (BrokerData broker : admin.examineBrokerClusterInfo().getBrokerAddrTable().values()) {
            String address = broker.getBrokerAddrs().get(0L);
            if (address != null) {
                masters.put(broker.getBrokerName(), address);
            }
        }
        if (masters.isEmpty()) {
            throw new IllegalStateException("no broker is registered at the name server");
        }
        return masters;
    }

    void createTopic(String topic, Map<String, String> attributes) throws Exception {
        createTopic(topic, attributes, masters());
    }

    void createTopic(String topic, Map<String, String> attributes, Map<String, String> masters)
            throws Exception {
        TopicConfig config = new TopicConfig(topic, QUEUES, QUEUES);
        config.setAttributes(GroupAdmin.additions(attributes));
        for (String address : masters.values()) {
            admin.createAndUpdateTopicConfig(address, config);
        }
        String typeKey = TopicAttributes.TOPIC_MESSAGE_TYPE_ATTRIBUTE.getName();
        String type = attributes.getOrDefault(typeKey, DEFAULT_TYPE);
        Await.until(
                () -> proxy.seesTopic(topic, type, masters.keySet()),
                VISIBLE_WITHIN_SECONDS,
                () -> "the proxy does not see topic " + topic + " on " + masters.keySet());
    }

    void deleteTopic(String topic) throws Exception {
        Map<String, BrokerData> brokers = admin.examineBrokerClusterInfo().getBrokerAddrTable();
        String cluster = brokers.values().iterator().next().getCluster();
        admin.deleteTopic(topic, cluster);
        Await.until(
                () -> proxy.seesNoTopic(topic),
                VISIBLE_WITHIN_SECONDS,
                () -> "the proxy still sees topic " + topic);
    }
}
