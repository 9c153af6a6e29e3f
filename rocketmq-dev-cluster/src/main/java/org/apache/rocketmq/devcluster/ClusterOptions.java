/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.devcluster.wire.ServerSettings;

/** What a builder collects, checked value by value. Not thread-safe. */
final class ClusterOptions {

    private static final int MAX_BROKERS = 8;
    private static final int MAX_PORT = 65_535;
    private static final Pattern HEAP = Pattern.compile("[1-9][0-9]*[kKmMgG]");
    private static final List<String> STORE_TYPES = Arrays.asList("default", "defaultRocksDB");
    private static final String ADMIN_USER = "dev-admin";
    private static final String FAST_INTERVAL_MS = "200";

    private final Map<String, String> brokerProperties = new TreeMap<>();
    private final Map<String, String> proxyProperties = new TreeMap<>();
    private int brokers = 1;
    private int proxyPort;
    private Path dataDir;
    private String storeType = "defaultRocksDB";
    private String heap = "256m";
    private AdminKeys admin;

    void brokers(int value) {
        check("brokers", value, value >= 1 && value <= MAX_BROKERS, "1 to " + MAX_BROKERS);
        brokers = value;
    }

    void proxyPort(int value) {
        check("proxyPort", value, value >= 0 && value <= MAX_PORT, "0 (free) to " + MAX_PORT);
        proxyPort = value;
    }

    void dataDir(Path value) {
        dataDir = Objects.requireNonNull(value, "dataDir").toAbsolutePath();
    }

    void storeType(String value) {
        check("storeType", value, STORE_TYPES.contains(value), String.join(", ", STORE_TYPES));
        storeType = value;
    }

    void heap(String value) {
        boolean valid = value != null && HEAP.matcher(value).matches();
        check("heap", value, valid, "a size like 256m or 1g");
        heap = value;
    }

    void accessControl(boolean value) {
        admin = value ? new AdminKeys(ADMIN_USER, UUID.randomUUID().toString()) : null;
    }

    /** Keys of the super user; null without access control. */
    AdminKeys admin() {
        return admin;
    }

    void fastLiteEvents(boolean value) {
        for (String name :
                new String[] {
                    "liteEventCheckInterval",
                    "liteEventFullDispatchDelayTime",
                    "liteEventFullDispatchDelayTimeForWildcardGroup"
                }) {
            if (value) {
                brokerProperties.put(name, FAST_INTERVAL_MS);
            } else {
                brokerProperties.remove(name);
            }
        }
    }

    void brokerProperty(String key, String value) {
        brokerProperties.put(
                Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    }

    void proxyProperty(String key, String value) {
        proxyProperties.put(
                Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    }

    boolean isTemporary() {
        return dataDir == null;
    }

    Path dataDir() {
        return dataDir;
    }

    String heap() {
        return heap;
    }

    int proxyPort() {
        return proxyPort;
    }

    /** Settings for the child, with ports that are free now. */
    ServerSettings toSettings(Path directory) {
        ServerSettings settings =
                new ServerSettings(
                        directory,
                        storeType,
                        Ports.choose(brokers, proxyPort),
                        isTemporary(),
                        brokerProperties,
                        proxyProperties);
        return admin == null ? settings : settings.withAccessControl(admin);
    }

    private static void check(String name, Object value, boolean valid, String expected) {
        if (!valid) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + expected + ")");
        }
    }
}
