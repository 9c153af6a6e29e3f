/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.broker.BrokerController;
import org.apache.rocketmq.common.BrokerConfig;
import org.apache.rocketmq.common.MixAll;
import org.apache.rocketmq.common.lite.LiteUtil;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.remoting.netty.NettyClientConfig;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.store.config.MessageStoreConfig;

/**
 * One master broker. It can be stopped and started again on its own directory and ports; a new
 * controller is made for every start.
 */
final class BrokerNode {

    private final ServerSettings settings;
    private final int index;
    private BrokerController controller;
    private int starts;

    BrokerNode(ServerSettings settings, int index) {
        this.settings = settings;
        this.index = index;
    }

    String name() {
        return ServerSettings.brokerName(index);
    }

    boolean isRunning() {
        return controller != null;
    }

    void start() throws Exception {
        if (isRunning()) {
            throw new IllegalStateException(name() + " is running already");
        }
        BrokerController starting = createController();
        if (!starting.initialize()) {
            throw new IllegalStateException(name() + " refused to initialize, see its broker.log");
        }
        starting.start();
        controller = starting;
    }

    /**
     * Registers at the name server. The broker's own attempt at its start does nothing, because it
     * has not looked for available name servers yet, and the next one comes 10 s later (5.5.0).
     */
    void register() {
        controller.registerBrokerAll(true, false, true);
    }

    /** Orderly, so offsets and store are on disk when this returns; takes 6 to 15 s. */
    void stop() {
        if (!isRunning()) {
            throw new IllegalStateException(name() + " is not running");
        }
        controller.shutdown();
        controller = null;
    }

    /**
     * Committed and maximum offset of one lite topic; 0 and 0 if this broker does not hold it. A
     * committed offset that was never written counts as 0.
     */
    long[] liteOffsets(String topic, String group, String liteTopic) {
        String queue = LiteUtil.toLmqName(topic, liteTopic);
        long max = controller.getLiteLifecycleManager().getMaxOffsetInQueue(queue);
        return max > 0 ? new long[] {committed(group, queue), max} : new long[2];
    }

    /** The offsets of every lite topic of the topic that this broker holds. */
    Map<String, long[]> liteOffsets(String topic, String group) {
        Map<String, long[]> offsets = new TreeMap<>();
        Collection<String> queues =
                controller.getLiteLifecycleManager().collectByParentTopic(topic);
        for (String queue : queues) {
            long max = controller.getLiteLifecycleManager().getMaxOffsetInQueue(queue);
            if (max > 0) {
                offsets.put(
                        LiteUtil.getLiteTopic(queue), new long[] {committed(group, queue), max});
            }
        }
        return offsets;
    }

    /** Client ids that subscribe the topic as members of the group. */
    List<String> clientIds(String topic, String group) {
        List<String> clientIds = new ArrayList<>();
        for (String clientId :
                controller.getLiteSubscriptionRegistry().getAllClientIdByGroup(group)) {
            if (topic.equals(
                    controller
                            .getLiteSubscriptionRegistry()
                            .getLiteSubscription(clientId)
                            .getTopic())) {
                clientIds.add(clientId);
            }
        }
        return clientIds;
    }

    private long committed(String group, String queue) {
        return Math.max(0, controller.getConsumerOffsetManager().queryOffset(group, queue, 0));
    }

    private BrokerController createController() throws Exception {
        Path directory = Files.createDirectories(settings.dataDir().resolve(name()));
        BrokerConfig broker = new BrokerConfig();
        broker.setRocketmqHome(settings.dataDir().resolve("home").toString());
        broker.setNamesrvAddr(settings.namesrvAddr());
        broker.setBrokerClusterName(ServerSettings.CLUSTER_NAME);
        broker.setBrokerName(name());
        broker.setBrokerId(MixAll.MASTER_ID);
        broker.setBrokerIP1(ServerSettings.HOST);
        broker.setBrokerIP2(ServerSettings.HOST);
        broker.setListenPort(settings.brokerPort(index));

        NettyServerConfig netty = new NettyServerConfig();
        netty.setBindAddress(ServerSettings.HOST);
        netty.setListenPort(settings.brokerPort(index));

        MessageStoreConfig store = new MessageStoreConfig();
        store.setStorePathRootDir(directory.toString());
        store.setStorePathCommitLog(directory.resolve("commitlog").toString());
        store.setHaListenPort(settings.brokerPort(index) + 1);
        store.setStoreType(settings.storeType());

        ConfigBeans.apply("the broker", BrokerDefaults.PROPERTIES, broker, store);
        ConfigBeans.apply("the broker", settings.brokerProperties(), broker, store);
        starts++;
        AuthConfig auth =
                AccessControl.ofBroker(
                        settings.admin(), name() + "-" + starts, directory.resolve("auth"));
        return new BrokerController(broker, netty, new NettyClientConfig(), store, auth);
    }
}
