/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.MQVersion;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.remoting.protocol.RemotingCommand;

/** Name server, brokers and proxy of this process. One thread. */
final class RunningCluster {

    private static final long REGISTRATION_SECONDS = 60;

    private final ServerSettings settings;
    private final NamesrvNode namesrv;
    private final List<BrokerNode> brokers = new ArrayList<>();
    private ProxyNode proxy;
    private ProxyClient proxyClient;
    private ClusterAdmin admin;

    private RunningCluster(ServerSettings settings, NamesrvNode namesrv) {
        this.settings = settings;
        this.namesrv = namesrv;
    }

    static RunningCluster start(ServerSettings settings) throws Exception {
        // without it the name server takes a broker for an ancient one and drops its topics
        System.setProperty(
                RemotingCommand.REMOTING_VERSION_KEY, String.valueOf(MQVersion.CURRENT_VERSION));
        RunningCluster cluster = new RunningCluster(settings, NamesrvNode.start(settings));
        ServerLog.info("name server at " + settings.namesrvAddr());
        for (int i = 0; i < settings.brokerCount(); i++) {
            BrokerNode broker = new BrokerNode(settings, i);
            broker.start();
            cluster.brokers.add(broker);
            ServerLog.info(broker.name() + " at port " + settings.brokerPort(i));
        }
        // the proxy creates its own topic from the cluster's and fails when that is not known yet
        cluster.awaitRegistrations();
        cluster.proxy = ProxyNode.start(settings);
        cluster.proxyClient = new ProxyClient(settings.endpoints(), settings.admin());
        cluster.admin =
                ClusterAdmin.connect(
                        settings.namesrvAddr(),
                        new OwnProxyView(cluster.proxyClient, cluster.proxy),
                        settings.admin());
        ServerLog.info("proxy at " + settings.endpoints());
        cluster.probe();
        ServerLog.info("ready: a lite message went through every broker");
        return cluster;
    }

    ClusterAdmin admin() {
        return admin;
    }

    /** Users and permissions; only with access control. */
    UserAdmin users() {
        if (settings.admin() == null) {
            throw new IllegalStateException("the cluster was started without access control");
        }
        return admin.users(proxy);
    }

    /** Committed and maximum offset of each, summed over the brokers; 0 and 0 if none holds it. */
    Map<String, long[]> liteOffsets(String topic, String group, Collection<String> liteTopics) {
        Map<String, long[]> all = new TreeMap<>();
        List<BrokerNode> holders = running();
        for (String liteTopic : liteTopics) {
            all.put(
                    liteTopic,
                    holders.stream()
                            .map(broker -> broker.liteOffsets(topic, group, liteTopic))
                            .reduce(new long[2], RunningCluster::sum));
        }
        return all;
    }

    /** The same of every lite topic that a broker holds. */
    Map<String, long[]> liteOffsets(String topic, String group) {
        Map<String, long[]> all = new TreeMap<>();
        for (BrokerNode broker : running()) {
            broker.liteOffsets(topic, group)
                    .forEach(
                            (liteTopic, offsets) ->
                                    all.merge(liteTopic, offsets, RunningCluster::sum));
        }
        return all;
    }

    /** Whether every running broker knows a subscriber of the topic in the group. */
    boolean hasSubscriber(String topic, String group) {
        return brokers.stream()
                .filter(BrokerNode::isRunning)
                .noneMatch(broker -> broker.clientIds(topic, group).isEmpty());
    }

    List<String> clientIds(String topic, String group) {
        Set<String> clientIds = new TreeSet<>();
        for (BrokerNode broker : brokers) {
            if (broker.isRunning()) {
                clientIds.addAll(broker.clientIds(topic, group));
            }
        }
        return new ArrayList<>(clientIds);
    }

    void stopBroker(int index) throws Exception {
        BrokerNode broker = broker(index);
        broker.stop();
        awaitRegistrations();
    }

    void startBroker(int index) throws Exception {
        broker(index).start();
        awaitRegistrations();
        probe(index);
    }

    void restartProxy() throws Exception {
        proxy.restart();
        probe();
    }

    /** All brokers; offsets of a broker that is stopped cannot be read, and 0 would be a lie. */
    private List<BrokerNode> running() {
        for (BrokerNode broker : brokers) {
            if (!broker.isRunning()) {
                throw new IllegalStateException(
                        broker.name() + " is stopped, its offsets cannot be read");
            }
        }
        return brokers;
    }

    private BrokerNode broker(int index) {
        if (index < 0 || index >= brokers.size()) {
            throw new IllegalArgumentException(
                    "no broker " + index + " (expected: 0 to " + (brokers.size() - 1) + ")");
        }
        return brokers.get(index);
    }

    private void awaitRegistrations() throws Exception {
        Set<String> expected =
                brokers.stream()
                        .filter(BrokerNode::isRunning)
                        .map(BrokerNode::name)
                        .collect(Collectors.toCollection(TreeSet::new));
        Await.until(
                () -> {
                    Set<String> registered = namesrv.registeredBrokers();
                    for (BrokerNode broker : brokers) {
                        if (broker.isRunning() && !registered.contains(broker.name())) {
                            broker.register();
                        }
                    }
                    return registered.equals(expected);
                },
                REGISTRATION_SECONDS,
                () ->
                        "the name server knows "
                                + namesrv.registeredBrokers()
                                + " instead of "
                                + expected);
    }

    private void probe() throws Exception {
        for (int i = 0; i < brokers.size(); i++) {
            probe(i);
        }
    }

    /** A topic on this broker alone, so that the message cannot take another way. */
    private void probe(int index) throws Exception {
        String name = brokers.get(index).name();
        String topic = "dev-cluster-probe-" + name;
        String group = "GID-dev-cluster-probe-" + name;
        Map<String, String> onThisBroker =
                Collections.singletonMap(name, admin.masters().get(name));
        admin.createTopic(topic, Collections.singletonMap("message.type", "LITE"), onThisBroker);
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("lite.bind.topic", topic);
        attributes.put("lite.sub.wildcard", "true");
        admin.groups().create(group, attributes);
        try (ProxyClient client = new ProxyClient(settings.endpoints(), settings.admin())) {
            new ReadinessProbe(topic, group, client).run();
        }
        admin.groups().delete(group);
        admin.deleteTopic(topic);
    }

    private static long[] sum(long[] left, long[] right) {
        return new long[] {left[0] + right[0], left[1] + right[1]};
    }
}
