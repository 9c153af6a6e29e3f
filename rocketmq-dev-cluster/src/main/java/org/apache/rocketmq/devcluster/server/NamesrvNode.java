/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.rocketmq.common.namesrv.NamesrvConfig;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.namesrv.NamesrvController;
import org.apache.rocketmq.remoting.netty.NettyServerConfig;
import org.apache.rocketmq.remoting.protocol.route.BrokerData;
import org.apache.rocketmq.remoting.protocol.route.TopicRouteData;

/** The name server of the cluster. */
final class NamesrvNode {

    private final NamesrvController controller;

    private NamesrvNode(NamesrvController controller) {
        this.controller = controller;
    }

    static NamesrvNode start(ServerSettings settings) throws Exception {
        Path directory = Files.createDirectories(settings.dataDir().resolve("namesrv"));
        NamesrvConfig config = new NamesrvConfig();
        config.setRocketmqHome(settings.dataDir().resolve("home").toString());
        config.setKvConfigPath(directory.resolve("kvConfig.json").toString());
        config.setConfigStorePath(directory.resolve("namesrv.properties").toString());
        NettyServerConfig netty = new NettyServerConfig();
        netty.setBindAddress(ServerSettings.HOST);
        netty.setListenPort(settings.namesrvPort());
        NamesrvController controller = new NamesrvController(config, netty);
        if (!controller.initialize()) {
            throw new IllegalStateException("the name server refused to initialize");
        }
        controller.start();
        return new NamesrvNode(controller);
    }

    /** The brokers that registered and carry the cluster's own topic. */
    Set<String> registeredBrokers() {
        TopicRouteData route =
                controller.getRouteInfoManager().pickupTopicRouteData(ServerSettings.CLUSTER_NAME);
        if (route == null) {
            return Collections.emptySet();
        }
        return route.getBrokerDatas().stream()
                .map(BrokerData::getBrokerName)
                .collect(Collectors.toSet());
    }
}
