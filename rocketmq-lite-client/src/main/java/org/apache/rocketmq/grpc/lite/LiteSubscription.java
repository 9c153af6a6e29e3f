/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.Objects;

/** One wildcard subscription: a consumer group reads all lite topics of a main topic. Immutable. */
public final class LiteSubscription {

    private final String topic;
    private final String group;
    private final Duration awaitDuration;
    private final Duration invisibleDuration;

    /**
     * @param topic the main topic, not null
     * @param group a wildcard group bound to that topic, not null
     * @param awaitDuration how long the server holds an empty poll; it clamps to 5–20 s
     * @param invisibleDuration how long a delivered message stays with its receiver, 10 s – 12 h
     */
    public LiteSubscription(
            String topic, String group, Duration awaitDuration, Duration invisibleDuration) {
        this.topic = Objects.requireNonNull(topic, "topic");
        this.group = Objects.requireNonNull(group, "group");
        this.awaitDuration = Objects.requireNonNull(awaitDuration, "awaitDuration");
        this.invisibleDuration = Objects.requireNonNull(invisibleDuration, "invisibleDuration");
    }

    /** The main topic. */
    public String topic() {
        return topic;
    }

    /** The consumer group. */
    public String group() {
        return group;
    }

    /** How long the server holds an empty poll. */
    public Duration awaitDuration() {
        return awaitDuration;
    }

    /** How long a delivered message stays with its receiver. */
    public Duration invisibleDuration() {
        return invisibleDuration;
    }

    @Override
    public String toString() {
        return "LiteSubscription{topic=" + topic + ", group=" + group + '}';
    }
}
