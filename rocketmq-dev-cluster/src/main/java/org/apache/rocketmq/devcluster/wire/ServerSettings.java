/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the child JVM needs to know to start its cluster; travels as arguments of one line. */
public final class ServerSettings {

    public static final String CLUSTER_NAME = "DevCluster";
    public static final String HOST = "127.0.0.1";

    private static final String DATA_DIR = "dataDir";
    private static final String STORE_TYPE = "storeType";
    private static final String PORTS = "ports";
    private static final String DELETE_DATA = "deleteData";
    private static final String ADMIN_ACCESS_KEY = "adminAccessKey";
    private static final String ADMIN_SECRET_KEY = "adminSecretKey";
    private static final String BROKER = "broker.";
    private static final String PROXY = "proxy.";

    private final Path dataDir;
    private final String storeType;
    private final List<Integer> ports;
    private final boolean deleteDataWithParent;
    private final Map<String, String> brokerProperties;
    private final Map<String, String> proxyProperties;
    private final AdminKeys admin;

    /**
     * Collects the settings.
     *
     * @param ports name server, proxy, then one for each broker (which also takes p - 2 and p + 1)
     * @param deleteDataWithParent whether the child deletes the data when the parent is gone
     */
    public ServerSettings(
            Path dataDir,
            String storeType,
            List<Integer> ports,
            boolean deleteDataWithParent,
            Map<String, String> brokerProperties,
            Map<String, String> proxyProperties) {
        this(
                dataDir,
                storeType,
                ports,
                deleteDataWithParent,
                brokerProperties,
                proxyProperties,
                null);
    }

    private ServerSettings(
            Path dataDir,
            String storeType,
            List<Integer> ports,
            boolean deleteDataWithParent,
            Map<String, String> brokerProperties,
            Map<String, String> proxyProperties,
            AdminKeys admin) {
        this.dataDir = dataDir;
        this.storeType = storeType;
        this.ports = Collections.unmodifiableList(new ArrayList<>(ports));
        this.deleteDataWithParent = deleteDataWithParent;
        this.brokerProperties = Collections.unmodifiableMap(new TreeMap<>(brokerProperties));
        this.proxyProperties = Collections.unmodifiableMap(new TreeMap<>(proxyProperties));
        this.admin = admin;
    }

    /** The same with access control: nothing is allowed but what this super user allows. */
    public ServerSettings withAccessControl(AdminKeys superUser) {
        return new ServerSettings(
                dataDir,
                storeType,
                ports,
                deleteDataWithParent,
                brokerProperties,
                proxyProperties,
                superUser);
    }

    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        add(arguments, DATA_DIR, dataDir.toString());
        add(arguments, STORE_TYPE, storeType);
        for (int port : ports) {
            add(arguments, PORTS, Integer.toString(port));
        }
        add(arguments, DELETE_DATA, Boolean.toString(deleteDataWithParent));
        if (admin != null) {
            add(arguments, ADMIN_ACCESS_KEY, admin.accessKey());
            add(arguments, ADMIN_SECRET_KEY, admin.secretKey());
        }
        brokerProperties.forEach((key, value) -> add(arguments, BROKER + key, value));
        proxyProperties.forEach((key, value) -> add(arguments, PROXY + key, value));
        return arguments;
    }

    public static ServerSettings fromArguments(List<String> arguments) {
        Map<String, String> single = new TreeMap<>();
        List<Integer> ports = new ArrayList<>();
        Map<String, String> broker = new TreeMap<>();
        Map<String, String> proxy = new TreeMap<>();
        for (int i = 0; i + 1 < arguments.size(); i += 2) {
            String key = arguments.get(i);
            String value = arguments.get(i + 1);
            if (key.equals(PORTS)) {
                ports.add(Integer.valueOf(value));
            } else if (key.startsWith(BROKER)) {
                broker.put(key.substring(BROKER.length()), value);
            } else if (key.startsWith(PROXY)) {
                proxy.put(key.substring(PROXY.length()), value);
            } else {
                single.put(key, value);
            }
        }
        String adminKey = single.get(ADMIN_ACCESS_KEY);
        return new ServerSettings(
                Paths.get(single.get(DATA_DIR)),
                single.get(STORE_TYPE),
                ports,
                Boolean.parseBoolean(single.get(DELETE_DATA)),
                broker,
                proxy,
                adminKey == null ? null : new AdminKeys(adminKey, single.get(ADMIN_SECRET_KEY)));
    }

    private static void add(List<String> arguments, String key, String value) {
        arguments.add(key);
        arguments.add(value);
    }

    public Path dataDir() {
        return dataDir;
    }

    public String storeType() {
        return storeType;
    }

    public int namesrvPort() {
        return ports.get(0);
    }

    public String namesrvAddr() {
        return HOST + ":" + namesrvPort();
    }

    public int proxyPort() {
        return ports.get(1);
    }

    public String endpoints() {
        return HOST + ":" + proxyPort();
    }

    public int brokerCount() {
        return ports.size() - 2;
    }

    public int brokerPort(int index) {
        return ports.get(2 + index);
    }

    public static String brokerName(int index) {
        return "broker-" + index;
    }

    public boolean deleteDataWithParent() {
        return deleteDataWithParent;
    }

    public Map<String, String> brokerProperties() {
        return brokerProperties;
    }

    public Map<String, String> proxyProperties() {
        return proxyProperties;
    }

    /** Keys of the super user; null without access control. */
    public AdminKeys admin() {
        return admin;
    }
}
