/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.rocketmq.grpc.lite.Credentials;

/**
 * What the configuration says of credentials: keys, a resolver, or nothing. Immutable; equal by
 * value; shows no key.
 */
final class ClientIdentity implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final String RESOLVER_PREFIX = "rocketmq.client.credentials.";

    private final String accessKey;
    private final String secretKey;
    private final String securityToken;
    private final String resolverClass;
    private final TreeMap<String, String> resolverOptions;

    private ClientIdentity(ReadableConfig config) {
        this.accessKey = optional(config, RocketMQGrpcClientOptions.ACCESS_KEY);
        this.secretKey = optional(config, RocketMQGrpcClientOptions.SECRET_KEY);
        this.securityToken = optional(config, RocketMQGrpcClientOptions.SECURITY_TOKEN);
        this.resolverClass = optional(config, RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS);
        this.resolverOptions = new TreeMap<>();
        config.toMap()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(RESOLVER_PREFIX)) {
                                resolverOptions.put(key, value);
                            }
                        });
    }

    /**
     * Reads and validates.
     *
     * @throws IllegalArgumentException naming the keys and what is allowed, but no key's value
     */
    static ClientIdentity from(ReadableConfig config) {
        ClientIdentity identity = new ClientIdentity(config);
        identity.check();
        return identity;
    }

    private void check() {
        together(RocketMQGrpcClientOptions.ACCESS_KEY, accessKey, secretKey);
        together(RocketMQGrpcClientOptions.SECRET_KEY, secretKey, accessKey);
        together(RocketMQGrpcClientOptions.SECURITY_TOKEN, securityToken, accessKey);
        if (accessKey != null && resolverClass != null) {
            throw OptionChecks.wrong(
                    RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS,
                    resolverClass,
                    "not set, because "
                            + RocketMQGrpcClientOptions.ACCESS_KEY.key()
                            + " is: keys or a resolver");
        }
        if (resolverClass == null && !resolverOptions.isEmpty()) {
            throw new IllegalArgumentException(
                    resolverOptions.firstKey()
                            + ": set (expected: not set without "
                            + RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS.key()
                            + ")");
        }
        try {
            keys();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    RocketMQGrpcClientOptions.ACCESS_KEY.key()
                            + ", "
                            + RocketMQGrpcClientOptions.SECRET_KEY.key()
                            + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static void together(ConfigOption<String> option, String value, String other) {
        if (value != null && other == null) {
            throw new IllegalArgumentException(
                    option.key()
                            + ": set (expected: "
                            + RocketMQGrpcClientOptions.ACCESS_KEY.key()
                            + " and "
                            + RocketMQGrpcClientOptions.SECRET_KEY.key()
                            + " together with it, or neither)");
        }
    }

    private static String optional(ReadableConfig config, ConfigOption<String> option) {
        String value = OptionChecks.get(config, option, "text");
        return value == null || value.trim().isEmpty() ? null : value.trim();
    }

    /** The keys of the configuration; empty if there are none. */
    Optional<Credentials> keys() {
        return accessKey == null
                ? Optional.empty()
                : Optional.of(
                        Credentials.of(
                                accessKey, secretKey, securityToken == null ? "" : securityToken));
    }

    /** Name of the resolver's class; null if there is none. */
    String resolverClass() {
        return resolverClass;
    }

    /** The resolver's options. */
    Map<String, String> resolverOptions() {
        return resolverOptions;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ClientIdentity)) {
            return false;
        }
        ClientIdentity that = (ClientIdentity) other;
        return Objects.equals(accessKey, that.accessKey)
                && Objects.equals(secretKey, that.secretKey)
                && Objects.equals(securityToken, that.securityToken)
                && Objects.equals(resolverClass, that.resolverClass)
                && resolverOptions.equals(that.resolverOptions);
    }

    @Override
    public int hashCode() {
        return Objects.hash(accessKey, secretKey, securityToken, resolverClass, resolverOptions);
    }

    @Override
    public String toString() {
        if (resolverClass != null) {
            return "of " + resolverClass;
        }
        return accessKey == null ? "none" : "keys of the configuration";
    }
}
