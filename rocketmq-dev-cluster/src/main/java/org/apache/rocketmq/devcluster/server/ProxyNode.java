/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.proxy.ProxyStartup;
import org.apache.rocketmq.proxy.common.ProxyContext;
import org.apache.rocketmq.proxy.config.ConfigurationManager;
import org.apache.rocketmq.proxy.config.ProxyConfig;
import org.apache.rocketmq.proxy.grpc.GrpcServer;
import org.apache.rocketmq.proxy.grpc.GrpcServerBuilder;
import org.apache.rocketmq.proxy.grpc.v2.GrpcMessagingApplication;
import org.apache.rocketmq.proxy.processor.DefaultMessagingProcessor;
import org.apache.rocketmq.proxy.processor.MessagingProcessor;
import org.apache.rocketmq.proxy.service.cert.TlsCertificateManager;
import org.apache.rocketmq.remoting.protocol.RemotingSerializable;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;

/**
 * The proxy, in cluster mode and gRPC only. Its configuration is static in the server's code, so
 * there is one per JVM.
 */
final class ProxyNode {

    private final MessagingProcessor processor;
    private final GrpcServer server;

    private ProxyNode(MessagingProcessor processor, GrpcServer server) {
        this.processor = processor;
        this.server = server;
    }

    static ProxyNode start(ServerSettings settings) throws Exception {
        configure(settings);
        ProxyStartup.initThreadPoolMonitor();
        DefaultMessagingProcessor processor = DefaultMessagingProcessor.createForClusterMode();
        GrpcMessagingApplication application = GrpcMessagingApplication.create(processor);
        GrpcServer server =
                GrpcServerBuilder.newBuilder(
                                ProxyStartup.createServerExecutor(),
                                settings.proxyPort(),
                                new TlsCertificateManager())
                        .addService(application)
                        .configInterceptor()
                        .build();
        processor.start();
        application.start();
        server.start();
        return new ProxyNode(processor, server);
    }

    /** The group as the proxy sees it now, through its caches; null if it sees none. */
    SubscriptionGroupConfig group(String group) {
        return processor
                .getMetadataService()
                .getSubscriptionGroupConfig(ProxyContext.create(), group);
    }

    /** The type of the topic as the proxy sees it now, through its caches. */
    String topicType(String topic) {
        return processor
                .getMetadataService()
                .getTopicMessageType(ProxyContext.create(), topic)
                .getValue();
    }

    private static void configure(ServerSettings settings) throws Exception {
        Map<String, String> properties = new TreeMap<>();
        for (String cache : new String[] {"topicConfig", "subscriptionGroupConfig"}) {
            properties.put(cache + "CacheRefreshSeconds", "1");
        }
        properties.put("topicRouteServiceCacheRefreshSeconds", "1");
        properties.put("grpcShutdownTimeSeconds", "1");
        properties.putAll(settings.proxyProperties());
        properties.put("rocketMQClusterName", ServerSettings.CLUSTER_NAME);
        properties.put("proxyClusterName", ServerSettings.CLUSTER_NAME);
        properties.put("proxyName", "proxy-0");
        properties.put("proxyMode", "cluster");
        properties.put("namesrvAddr", settings.namesrvAddr());
        properties.put("grpcServerPort", Integer.toString(settings.proxyPort()));
        properties.put("localServeAddr", ServerSettings.HOST);
        ConfigBeans.apply("the proxy", properties, new ProxyConfig());

        Path file = settings.dataDir().resolve("rmq-proxy.json");
        String json = RemotingSerializable.toJson(properties, true);
        Files.write(file, json.getBytes(StandardCharsets.UTF_8));
        System.setProperty("com.rocketmq.proxy.configPath", file.toString());
        ConfigurationManager.initEnv();
        ConfigurationManager.initConfig();
    }
}
