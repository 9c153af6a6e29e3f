/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import io.grpc.Server;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.auth.authentication.model.User;
import org.apache.rocketmq.auth.authorization.model.Acl;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.proxy.ProxyStartup;
import org.apache.rocketmq.proxy.common.ProxyContext;
import org.apache.rocketmq.proxy.config.ConfigurationManager;
import org.apache.rocketmq.proxy.config.ProxyConfig;
import org.apache.rocketmq.proxy.grpc.GrpcServerBuilder;
import org.apache.rocketmq.proxy.grpc.v2.GrpcMessagingApplication;
import org.apache.rocketmq.proxy.grpc.v2.common.GrpcClientSettingsManager;
import org.apache.rocketmq.proxy.processor.DefaultMessagingProcessor;
import org.apache.rocketmq.proxy.processor.MessagingProcessor;
import org.apache.rocketmq.proxy.service.cert.TlsCertificateManager;
import org.apache.rocketmq.remoting.protocol.RemotingSerializable;
import org.apache.rocketmq.remoting.protocol.subscription.SubscriptionGroupConfig;

/**
 * The proxy, in cluster mode and gRPC only. Its configuration is static in the server's code, so
 * there is one per JVM, but it can be ended and made again. One thread.
 */
final class ProxyNode {

    private static final long END_SECONDS = 10;

    private final int port;
    private final ThreadPoolExecutor executor = ProxyStartup.createServerExecutor();
    private MessagingProcessor processor;
    private GrpcMessagingApplication application;
    private Server server;

    private ProxyNode(int port) {
        this.port = port;
    }

    static ProxyNode start(ServerSettings settings) throws Exception {
        configure(settings);
        ProxyStartup.initThreadPoolMonitor();
        ProxyNode proxy = new ProxyNode(settings.proxyPort());
        proxy.start();
        return proxy;
    }

    /**
     * Ends the connections of all clients at once, then the proxy in order, and starts a new one.
     */
    void restart() throws Exception {
        server.shutdownNow();
        if (!server.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the proxy still serves at port " + port);
        }
        application.shutdown();
        processor.shutdown();
        ClientSettings.forgetAll();
        start();
    }

    private void start() throws Exception {
        DefaultMessagingProcessor starting = DefaultMessagingProcessor.createForClusterMode();
        processor = starting;
        application = GrpcMessagingApplication.create(processor);
        ServerBuilder builder = new ServerBuilder(executor, port);
        builder.addService(application);
        builder.configInterceptor();
        server = builder.buildServer();
        starting.start();
        application.start();
        server.start();
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

    /** What the proxy knows of a user now, through its caches; null if it knows none. */
    User user(String name) {
        return processor.getMetadataService().getUser(ProxyContext.create(), name).join();
    }

    /** What the proxy lets a user do now, through its caches; null if nothing. */
    Acl acl(String user) {
        return processor.getMetadataService().getAcl(ProxyContext.create(), User.of(user)).join();
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
        properties.putAll(AccessControl.ofProxy(settings.admin()));
        ConfigBeans.apply("the proxy", properties, new ProxyConfig(), new AuthConfig());

        Path file = settings.dataDir().resolve("rmq-proxy.json");
        String json = RemotingSerializable.toJson(properties, true);
        Files.write(file, json.getBytes(StandardCharsets.UTF_8));
        System.setProperty("com.rocketmq.proxy.configPath", file.toString());
        ConfigurationManager.initEnv();
        ConfigurationManager.initConfig();
    }

    /** The proxy's own way to build its server, except that the result can be ended at once. */
    private static final class ServerBuilder extends GrpcServerBuilder {

        private ServerBuilder(ThreadPoolExecutor executor, int port) throws Exception {
            super(executor, port, new TlsCertificateManager());
        }

        private Server buildServer() {
            return serverBuilder.build();
        }
    }

    /** The server keeps what clients told about themselves in a static map. */
    private static final class ClientSettings extends GrpcClientSettingsManager {

        private ClientSettings(MessagingProcessor processor) {
            super(processor);
        }

        private static void forgetAll() {
            CLIENT_SETTINGS_MAP.clear();
        }
    }
}
