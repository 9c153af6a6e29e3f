/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What every client needs to know about the server. Immutable; equal by value, except that only the
 * same provider of credentials is an equal one.
 */
public final class LiteClientConfig {

    /** Bound of one RPC unless set. */
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(3);

    /** How long the first session may take to come to be unless set. */
    public static final Duration DEFAULT_START_PATIENCE = Duration.ofSeconds(9);

    private final Endpoints endpoints;
    private final String namespace;
    private final Duration requestTimeout;
    private final Duration startPatience;
    private final CredentialsProvider credentials;

    private LiteClientConfig(Builder builder) {
        this.endpoints = Objects.requireNonNull(builder.endpoints, "endpoints");
        this.namespace = builder.namespace;
        this.requestTimeout = builder.requestTimeout;
        this.startPatience = builder.startPatience;
        this.credentials = builder.credentials;
    }

    /** A builder; the endpoints are required. */
    public static Builder builder() {
        return new Builder();
    }

    /** The proxies. */
    public Endpoints endpoints() {
        return endpoints;
    }

    /** The namespace; empty for none, never null. */
    public String namespace() {
        return namespace;
    }

    /** Bound of one RPC; a long poll has its await duration on top. */
    public Duration requestTimeout() {
        return requestTimeout;
    }

    /** How long the first session may take to come to be; then the start fails for good. */
    public Duration startPatience() {
        return startPatience;
    }

    /** Where the credentials come from; empty if requests are not signed. */
    public Optional<CredentialsProvider> credentials() {
        return Optional.ofNullable(credentials);
    }

    /**
     * The same with other credentials.
     *
     * @param other null for requests without a signature
     */
    public LiteClientConfig withCredentials(CredentialsProvider other) {
        return toBuilder().credentials(other).build();
    }

    /** The same with another {@link #startPatience()}. */
    public LiteClientConfig withStartPatience(Duration other) {
        return toBuilder().startPatience(other).build();
    }

    private Builder toBuilder() {
        return builder()
                .endpoints(endpoints)
                .namespace(namespace)
                .requestTimeout(requestTimeout)
                .startPatience(startPatience)
                .credentials(credentials);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LiteClientConfig)) {
            return false;
        }
        LiteClientConfig that = (LiteClientConfig) other;
        return endpoints.equals(that.endpoints)
                && namespace.equals(that.namespace)
                && requestTimeout.equals(that.requestTimeout)
                && startPatience.equals(that.startPatience)
                && Objects.equals(credentials, that.credentials);
    }

    @Override
    public int hashCode() {
        return Objects.hash(endpoints, namespace, requestTimeout, startPatience, credentials);
    }

    @Override
    public String toString() {
        return "LiteClientConfig{endpoints="
                + endpoints
                + ", namespace='"
                + namespace
                + "', requestTimeout="
                + requestTimeout
                + ", startPatience="
                + startPatience
                + (credentials == null ? "" : ", signed")
                + '}';
    }

    /** Builds a {@link LiteClientConfig}. Not thread-safe. */
    public static final class Builder {
        private Endpoints endpoints;
        private String namespace = "";
        private Duration requestTimeout = DEFAULT_REQUEST_TIMEOUT;
        private Duration startPatience = DEFAULT_START_PATIENCE;
        private CredentialsProvider credentials;

        private Builder() {}

        /** The proxies; required. */
        public Builder endpoints(Endpoints endpoints) {
            this.endpoints = endpoints;
            return this;
        }

        /** Sent with every request; null means none. The open-source proxy ignores it. */
        public Builder namespace(String namespace) {
            this.namespace = namespace == null ? "" : namespace;
            return this;
        }

        /**
         * Bound of one RPC, default 3 s.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder requestTimeout(Duration requestTimeout) {
            this.requestTimeout = positive("requestTimeout", requestTimeout);
            return this;
        }

        /**
         * How long the first session may take to come to be, default 9 s. With more than that, "not
         * found" is taken for the echo of a broker's restart for as long, too, instead of 3 s: for
         * a client whose topic and group are known to exist.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder startPatience(Duration startPatience) {
            this.startPatience = positive("startPatience", startPatience);
            return this;
        }

        private static Duration positive(String name, Duration duration) {
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException(
                        name + ": " + duration + " (expected: more than 0)");
            }
            return duration;
        }

        /** Signs every request with the credentials found there; null, the default, signs none. */
        public Builder credentials(CredentialsProvider credentials) {
            this.credentials = credentials;
            return this;
        }

        /** Builds it. */
        public LiteClientConfig build() {
            return new LiteClientConfig(this);
        }
    }
}
