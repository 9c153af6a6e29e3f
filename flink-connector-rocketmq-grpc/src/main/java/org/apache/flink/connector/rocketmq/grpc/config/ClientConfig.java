/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/**
 * How to talk to RocketMQ, validated; without the endpoints, which a source configures and an
 * acknowledging operator finds in each handle. Immutable; equal by value.
 */
@Internal
public final class ClientConfig implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final String NAMESPACE_EXPECTED =
            "printable ASCII without blanks, because it travels in a request header";
    private static final Duration MIN_REQUEST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_REQUEST_TIMEOUT = Duration.ofMinutes(5);

    private final String namespace;
    private final Duration requestTimeout;
    private final ClientIdentity identity;

    private ClientConfig(String namespace, Duration requestTimeout, ClientIdentity identity) {
        this.namespace = namespace;
        this.requestTimeout = requestTimeout;
        this.identity = identity;
    }

    /**
     * Reads and validates the client options.
     *
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public static ClientConfig from(ReadableConfig config) {
        refuseWhatComesLater(config);
        return new ClientConfig(
                namespaceOf(config),
                OptionChecks.range(
                        config,
                        RocketMQGrpcClientOptions.REQUEST_TIMEOUT,
                        MIN_REQUEST_TIMEOUT,
                        MAX_REQUEST_TIMEOUT),
                ClientIdentity.from(config));
    }

    /**
     * Reads the endpoints, which a part that connects by itself requires.
     *
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    static Endpoints endpointsOf(ReadableConfig config) {
        String text = OptionChecks.required(config, RocketMQGrpcClientOptions.ENDPOINTS);
        try {
            return Endpoints.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    RocketMQGrpcClientOptions.ENDPOINTS.key() + ": " + e.getMessage(), e);
        }
    }

    private static String namespaceOf(ReadableConfig config) {
        String namespace =
                OptionChecks.get(config, RocketMQGrpcClientOptions.NAMESPACE, NAMESPACE_EXPECTED)
                        .trim();
        if (!namespace.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw OptionChecks.wrong(
                    RocketMQGrpcClientOptions.NAMESPACE, "'" + namespace + "'", NAMESPACE_EXPECTED);
        }
        return namespace;
    }

    private static void refuseWhatComesLater(ReadableConfig config) {
        String tls = "TLS";
        if (OptionChecks.get(config, RocketMQGrpcClientOptions.TLS_ENABLED, "true or false")) {
            OptionChecks.notYet(config, RocketMQGrpcClientOptions.TLS_ENABLED, tls);
        }
        OptionChecks.notYet(config, RocketMQGrpcClientOptions.TLS_TRUST_CERTIFICATES, tls);
        OptionChecks.notYet(config, RocketMQGrpcClientOptions.TLS_VERIFY, tls);
        OptionChecks.notYet(config, RocketMQGrpcClientOptions.TLS_CLIENT_CERTIFICATE, tls);
        OptionChecks.notYet(config, RocketMQGrpcClientOptions.TLS_CLIENT_KEY, tls);
    }

    /** Namespace; empty for none. */
    public String namespace() {
        return namespace;
    }

    /** Bound of one request. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** The client's view of it, for these endpoints and this namespace, without credentials. */
    public LiteClientConfig toLiteClientConfig(Endpoints endpoints, String forNamespace) {
        return LiteClientConfig.builder()
                .endpoints(endpoints)
                .namespace(forNamespace)
                .requestTimeout(requestTimeout)
                .build();
    }

    /** Whether credentials are found by a class of the user's. */
    public boolean hasResolver() {
        return identity.resolverClass() != null;
    }

    ClientIdentity identity() {
        return identity;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClientConfig
                && namespace.equals(((ClientConfig) other).namespace)
                && requestTimeout.equals(((ClientConfig) other).requestTimeout)
                && identity.equals(((ClientConfig) other).identity);
    }

    @Override
    public int hashCode() {
        return Objects.hash(namespace, requestTimeout, identity);
    }

    @Override
    public String toString() {
        return "ClientConfig{namespace='"
                + namespace
                + "', requestTimeout="
                + requestTimeout
                + ", credentials="
                + identity
                + '}';
    }
}
