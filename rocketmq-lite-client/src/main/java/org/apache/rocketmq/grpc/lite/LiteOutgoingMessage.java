/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A message to send to a lite topic. Immutable by convention: the body array is not copied. */
public final class LiteOutgoingMessage {

    private final String liteTopic;
    private final byte[] body;
    private final String tag;
    private final List<String> keys;
    private final Map<String, String> properties;

    private LiteOutgoingMessage(Builder builder) {
        this.liteTopic = Objects.requireNonNull(builder.liteTopic, "liteTopic");
        this.body = Objects.requireNonNull(builder.body, "body");
        this.tag = builder.tag;
        this.keys = Collections.unmodifiableList(new ArrayList<>(builder.keys));
        this.properties = Collections.unmodifiableMap(new LinkedHashMap<>(builder.properties));
    }

    /** A message with a body and nothing else. */
    public static LiteOutgoingMessage of(String liteTopic, byte[] body) {
        return builder(liteTopic, body).build();
    }

    /** A builder with what is required. */
    public static Builder builder(String liteTopic, byte[] body) {
        return new Builder(liteTopic, body);
    }

    /** The lite topic. */
    public String liteTopic() {
        return liteTopic;
    }

    /** The body; the array itself. */
    public byte[] body() {
        return body;
    }

    /** The tag; null for none. */
    public String tag() {
        return tag;
    }

    /** The keys; may be empty. */
    public List<String> keys() {
        return keys;
    }

    /** The user properties; may be empty. */
    public Map<String, String> properties() {
        return properties;
    }

    @Override
    public String toString() {
        return "LiteOutgoingMessage{liteTopic=" + liteTopic + ", " + body.length + " bytes}";
    }

    /** Builds a {@link LiteOutgoingMessage}. Not thread-safe. */
    public static final class Builder {
        private final String liteTopic;
        private final byte[] body;
        private String tag;
        private Collection<String> keys = Collections.emptyList();
        private Map<String, String> properties = Collections.emptyMap();

        private Builder(String liteTopic, byte[] body) {
            this.liteTopic = liteTopic;
            this.body = body;
        }

        /** The tag; null for none. */
        public Builder tag(String tag) {
            this.tag = tag;
            return this;
        }

        /** The keys. */
        public Builder keys(Collection<String> keys) {
            this.keys = Objects.requireNonNull(keys, "keys");
            return this;
        }

        /** The user properties. */
        public Builder properties(Map<String, String> properties) {
            this.properties = Objects.requireNonNull(properties, "properties");
            return this;
        }

        /** Builds it. */
        public LiteOutgoingMessage build() {
            return new LiteOutgoingMessage(this);
        }
    }
}
