/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.Objects;

/** What every client needs to know about the server. Immutable; equal by value. */
public final class LiteClientConfig {

    /** Bound of one RPC unless set. */
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(3);

    private final Endpoints endpoints;
    private final String namespace;
    private final Duration requestTimeout;

    private LiteClientConfig(Builder builder) {
        this.endpoints = Objects.requireNonNull(builder.endpoints, "endpoints");
        this.namespace = builder.namespace;
        this.requestTimeout = builder.requestTimeout;
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

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof LiteClientConfig)) {
            return false;
        }
        LiteClientConfig that = (LiteClientConfig) other;
        return endpoints.equals(that.endpoints)
                && namespace.equals(that.namespace)
                && requestTimeout.equals(that.requestTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(endpoints, namespace, requestTimeout);
    }

    @Override
    public String toString() {
        return "LiteClientConfig{endpoints="
                + endpoints
                + ", namespace='"
                + namespace
                + "', requestTimeout="
                + requestTimeout
                + '}';
    }

    /** Builds a {@link LiteClientConfig}. Not thread-safe. */
    public static final class Builder {
        private Endpoints endpoints;
        private String namespace = "";
        private Duration requestTimeout = DEFAULT_REQUEST_TIMEOUT;

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
            if (requestTimeout.isNegative() || requestTimeout.isZero()) {
                throw new IllegalArgumentException(
                        "requestTimeout: " + requestTimeout + " (expected: more than 0)");
            }
            this.requestTimeout = requestTimeout;
            return this;
        }

        /** Builds it. */
        public LiteClientConfig build() {
            return new LiteClientConfig(this);
        }
    }
}
