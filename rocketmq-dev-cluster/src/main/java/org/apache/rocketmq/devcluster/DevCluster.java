/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.devcluster.wire.Verbs;

/**
 * A real RocketMQ: name server, brokers and a cluster-mode proxy in one child JVM.
 *
 * <p>It is ready when {@link Builder#start} returns: a lite message went through every broker.
 * Nothing of it outlives this JVM, also when this JVM is killed. Every call is bounded in time and
 * fails with a {@link DevClusterException} that says why.
 *
 * <p>Thread-safe. Administrative calls run one after the other in the child; {@link #kill} and
 * {@link #close} wait for none of them.
 */
public final class DevCluster implements AutoCloseable {

    private static final long ADMIN_SECONDS = 90;
    private static final long BROKER_SECONDS = 180;

    private final ClusterServer server;
    private final boolean shared;

    private DevCluster(ClusterServer server, boolean shared) {
        this.server = server;
        this.shared = shared;
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * The one cluster of this JVM, started at the first call and ended with the JVM. With {@code
     * -Drocketmq.endpoints=host:port} it is the cluster there; to administrate that one, {@code
     * -Drocketmq.namesrv=host:port} is needed as well. Its {@link #close} does nothing.
     */
    public static DevCluster shared() {
        return Shared.get();
    }

    /**
     * A cluster that runs elsewhere.
     *
     * @param namesrvAddr blank if nothing will be administrated
     */
    static DevCluster external(String endpoints, String namesrvAddr) {
        return new DevCluster(new ExternalServer(endpoints, namesrvAddr), false);
    }

    /** Where clients connect to, {@code host:port} of the proxy. */
    public String endpoints() {
        return server.endpoints();
    }

    /** Where {@code mqadmin -n} connects to. */
    public String namesrvAddr() {
        return server.namesrvAddr();
    }

    public List<String> brokerNames() {
        return server.brokerNames();
    }

    /**
     * Whether somebody else runs the cluster. Then {@link #consumerClientIds}, {@link
     * #liteOffsets(String, String)} and what stops or starts a part of it throw {@link
     * UnsupportedOperationException}.
     */
    public boolean isExternal() {
        return server.isExternal();
    }

    /** A main topic for lite topics, on every running broker. */
    public void createLiteTopic(String topic) {
        createTopic(topic, Collections.singletonMap("message.type", "LITE"));
    }

    /**
     * A topic on every running broker; returns when the proxy sees it.
     *
     * @param attributes such as {@code message.type}, with or without a leading plus sign
     */
    public void createTopic(String topic, Map<String, String> attributes) {
        server.call(ADMIN_SECONDS, Verbs.CREATE_TOPIC, withPairs(attributes, topic));
    }

    public void deleteTopic(String topic) {
        server.call(ADMIN_SECONDS, Verbs.DELETE_TOPIC, topic);
    }

    /** A wildcard group over all lite topics of the topic, set up as the connector needs it. */
    public void createLiteGroup(String group, String liteTopic) {
        Map<String, String> attributes = new TreeMap<>();
        attributes.put("lite.bind.topic", liteTopic);
        attributes.put("lite.sub.wildcard", "true");
        attributes.put("lite.sub.client.max.event.cnt", "10000");
        attributes.put("retryMaxTimes", "1000000");
        createGroup(group, attributes);
    }

    /**
     * A consumer group on every running broker; returns when the proxy sees it.
     *
     * @param attributes such as {@code lite.bind.topic}, with or without a leading plus sign; also
     *     {@code retryMaxTimes} and {@code consumeEnable}, which are fields of a group
     */
    public void createGroup(String group, Map<String, String> attributes) {
        server.call(ADMIN_SECONDS, Verbs.CREATE_GROUP, withPairs(attributes, group));
    }

    /** Deletes the group with its offsets. */
    public void deleteGroup(String group) {
        server.call(ADMIN_SECONDS, Verbs.DELETE_GROUP, group);
    }

    /** Changes an existing group; returns when the proxy sees it. */
    public void updateGroupAttributes(String group, Map<String, String> add, Set<String> remove) {
        List<String> arguments = new ArrayList<>();
        Collections.addAll(arguments, withPairs(add, group, Integer.toString(add.size())));
        arguments.addAll(remove);
        server.call(ADMIN_SECONDS, Verbs.UPDATE_GROUP, arguments.toArray(new String[0]));
    }

    /**
     * Where the group stands in one lite topic. A message counts some milliseconds after its send
     * was answered, because the broker dispatches it in the background.
     */
    public LiteOffsets liteOffsets(String topic, String group, String liteTopic) {
        return liteOffsets(topic, group, Collections.singleton(liteTopic)).get(liteTopic);
    }

    /**
     * Where the group stands in each of these lite topics; 0 and 0 in one that no broker knows. On
     * an external cluster topic and group must exist, and a lite topic takes some milliseconds.
     */
    public Map<String, LiteOffsets> liteOffsets(
            String topic, String group, Collection<String> liteTopics) {
        List<String> arguments = new ArrayList<>();
        Collections.addAll(arguments, topic, group);
        arguments.addAll(liteTopics);
        return offsets(
                server.call(ADMIN_SECONDS, Verbs.LITE_OFFSETS, arguments.toArray(new String[0])));
    }

    /**
     * Where the group stands in every lite topic of the topic that ever had a message. Not on an
     * external cluster.
     */
    public Map<String, LiteOffsets> liteOffsets(String topic, String group) {
        return offsets(server.callOwn(ADMIN_SECONDS, Verbs.ALL_LITE_OFFSETS, topic, group));
    }

    /**
     * Whether every running broker of the topic knows a wildcard subscriber of the group, so that
     * messages sent from now on reach it at once.
     */
    public boolean hasSubscriber(String topic, String group) {
        return Boolean.parseBoolean(
                server.call(ADMIN_SECONDS, Verbs.HAS_SUBSCRIBER, topic, group).get(0));
    }

    /**
     * The clients that the running brokers know as lite subscribers of the topic in the group. Not
     * on an external cluster.
     */
    public Set<String> consumerClientIds(String topic, String group) {
        return new LinkedHashSet<>(server.callOwn(ADMIN_SECONDS, Verbs.CLIENT_IDS, topic, group));
    }

    /** Users and permissions; only of a cluster started with access control. */
    public ClusterUsers users() {
        AdminKeys admin = server.admin();
        if (admin == null) {
            throw new IllegalStateException("the dev cluster has no access control");
        }
        return new ClusterUsers(server, admin);
    }

    /** Whether requests must be signed and permitted, as far as this side knows. */
    public boolean hasAccessControl() {
        return server.admin() != null;
    }

    /** Stops a broker in order (6 to 15 s) and starts it again on its data and ports. */
    public void restartBroker(int index) {
        stopBroker(index);
        startBroker(index);
    }

    /** Stops a broker in order; returns when the name server no longer knows it. */
    public void stopBroker(int index) {
        server.callOwn(BROKER_SECONDS, Verbs.STOP_BROKER, Integer.toString(index));
    }

    /**
     * Starts a stopped broker; returns when a lite message went through it. Topics and groups that
     * were created while it was stopped are not on it.
     */
    public void startBroker(int index) {
        server.callOwn(BROKER_SECONDS, Verbs.START_BROKER, Integer.toString(index));
    }

    /**
     * Cuts the connections of all clients, ends the proxy and starts a new one at the same port;
     * returns when a lite message went through. For some 10 s the port refuses connections.
     */
    public void restartProxy() {
        server.callOwn(ADMIN_SECONDS, Verbs.RESTART_PROXY);
    }

    /**
     * Kills the child JVM, as a power cut would: nothing is flushed; consumer offsets that were
     * committed in the last second, or in the first ten seconds of the cluster, are gone. The data
     * stay.
     */
    public void kill() {
        server.kill();
    }

    /** After {@link #kill}: a new child JVM on the same data and ports. */
    public void startAgain() {
        server.startAgain();
    }

    /** Kills the child JVM and deletes its data if they are temporary; within 5 s, idempotent. */
    @Override
    public void close() {
        if (!shared) {
            server.close();
        }
    }

    boolean isAlive() {
        return server.isAlive();
    }

    private static Map<String, LiteOffsets> offsets(List<String> triples) {
        Map<String, LiteOffsets> offsets = new TreeMap<>();
        for (int i = 0; i + 2 < triples.size(); i += 3) {
            offsets.put(
                    triples.get(i),
                    new LiteOffsets(
                            Long.parseLong(triples.get(i + 1)),
                            Long.parseLong(triples.get(i + 2))));
        }
        return offsets;
    }

    private static String[] withPairs(Map<String, String> pairs, String... first) {
        List<String> arguments = new ArrayList<>();
        Collections.addAll(arguments, first);
        pairs.forEach(
                (key, value) -> {
                    arguments.add(key);
                    arguments.add(value);
                });
        return arguments.toArray(new String[0]);
    }

    /** Holds the one cluster of the JVM; the lock makes a second caller wait for the start. */
    private static final class Shared {

        private static DevCluster cluster;

        private Shared() {}

        private static synchronized DevCluster get() {
            if (cluster == null) {
                String endpoints = System.getProperty("rocketmq.endpoints", "");
                cluster =
                        new DevCluster(
                                endpoints.isBlank()
                                        ? OwnServer.start(new ClusterOptions())
                                        : new ExternalServer(
                                                endpoints,
                                                System.getProperty("rocketmq.namesrv", "")),
                                true);
            }
            return cluster;
        }
    }

    /** Options of a cluster. Each setter refuses a value that cannot work. */
    public static final class Builder {

        private final ClusterOptions options = new ClusterOptions();

        private Builder() {}

        /** Number of master brokers, 1 by default. */
        public Builder brokers(int brokers) {
            options.brokers(brokers);
            return this;
        }

        /**
         * Where the files are kept. Such a directory stays; by default there is a temporary one,
         * which is deleted.
         */
        public Builder dataDir(Path directory) {
            options.dataDir(directory);
            return this;
        }

        /** Port of the proxy; by default, or 0, a free one. */
        public Builder proxyPort(int port) {
            options.proxyPort(port);
            return this;
        }

        /** {@code defaultRocksDB} (the default) or {@code default}, the file store. */
        public Builder storeType(String storeType) {
            options.storeType(storeType);
            return this;
        }

        /**
         * Authentication and authorization (ACL 2.0) in brokers and proxy: nothing is allowed but
         * to a super user made for this cluster, and what is granted to others. Off by default.
         */
        public Builder accessControl(boolean accessControl) {
            options.accessControl(accessControl);
            return this;
        }

        /** Heap of the child JVM, {@code 256m} by default. */
        public Builder heap(String heap) {
            options.heap(heap);
            return this;
        }

        /** Shortens the broker's periods for lite events from 10 s to 200 ms. */
        public Builder fastLiteEvents(boolean fast) {
            options.fastLiteEvents(fast);
            return this;
        }

        /** A property as in {@code broker.conf}; unknown names fail the start. */
        public Builder brokerProperty(String key, String value) {
            options.brokerProperty(key, value);
            return this;
        }

        /** A property as in {@code rmq-proxy.json}; unknown names fail the start. */
        public Builder proxyProperty(String key, String value) {
            options.proxyProperty(key, value);
            return this;
        }

        /** Starts the cluster; returns when a lite message went through every broker. */
        public DevCluster start() {
            return new DevCluster(OwnServer.start(options), false);
        }
    }
}
