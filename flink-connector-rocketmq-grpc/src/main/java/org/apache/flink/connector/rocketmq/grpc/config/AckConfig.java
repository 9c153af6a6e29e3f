/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ReadableConfig;

/**
 * How an operator acknowledges, validated. Immutable; equal by value: operators of one TaskManager
 * with equal configurations share their connections.
 */
@Internal
public final class AckConfig implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final int MAX_IN_FLIGHT = 1_000_000;
    private static final int MAX_PENDING = 10_000_000;

    private final ClientConfig client;
    private final int maxInFlight;
    private final AckOrder order;
    private final Duration orderTimeout;
    private final Duration closeTimeout;
    private final boolean releaseOnClose;
    private final int maxPending;

    private AckConfig(
            ClientConfig client,
            int maxInFlight,
            AckOrder order,
            Duration orderTimeout,
            Duration closeTimeout,
            boolean releaseOnClose,
            int maxPending) {
        this.client = client;
        this.maxInFlight = maxInFlight;
        this.order = order;
        this.orderTimeout = orderTimeout;
        this.closeTimeout = closeTimeout;
        this.releaseOnClose = releaseOnClose;
        this.maxPending = maxPending;
    }

    /**
     * Reads and validates the client and ack options; nothing is required, because each handle
     * names its endpoints.
     *
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public static AckConfig from(ReadableConfig config) {
        return new AckConfig(
                ClientConfig.from(config),
                OptionChecks.range(config, RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 1, MAX_IN_FLIGHT),
                OptionChecks.get(
                        config,
                        RocketMQGrpcAckOptions.ORDER,
                        "one of " + Arrays.toString(AckOrder.values())),
                OptionChecks.range(
                        config,
                        RocketMQGrpcAckOptions.ORDER_TIMEOUT,
                        Duration.ZERO,
                        OptionChecks.MAX_INVISIBLE),
                OptionChecks.range(
                        config,
                        RocketMQGrpcAckOptions.CLOSE_TIMEOUT,
                        Duration.ZERO,
                        Duration.ofMinutes(10)),
                OptionChecks.get(config, RocketMQGrpcAckOptions.RELEASE_ON_CLOSE, "true or false"),
                OptionChecks.range(config, RocketMQGrpcAckOptions.MAX_PENDING, 1, MAX_PENDING));
    }

    /** How to talk to RocketMQ. */
    public ClientConfig client() {
        return client;
    }

    /** Most acks and deferrals in flight. */
    public int maxInFlight() {
        return maxInFlight;
    }

    /** Order within a delivery. */
    public AckOrder order() {
        return order;
    }

    /** How long an ack waits behind a gap. */
    public Duration orderTimeout() {
        return orderTimeout;
    }

    /** How long an operator waits at its end. */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** Whether an operator releases what it knows to be unfinished. */
    public boolean releaseOnClose() {
        return releaseOnClose;
    }

    /** Most handles that wait for their checkpoint. */
    public int maxPending() {
        return maxPending;
    }

    /** What concerns one operator alone does not keep it from sharing connections. */
    @Override
    public boolean equals(Object other) {
        if (!(other instanceof AckConfig)) {
            return false;
        }
        AckConfig that = (AckConfig) other;
        return client.equals(that.client)
                && maxInFlight == that.maxInFlight
                && order == that.order
                && orderTimeout.equals(that.orderTimeout)
                && closeTimeout.equals(that.closeTimeout);
    }

    @Override
    public int hashCode() {
        return Objects.hash(client, maxInFlight, order, orderTimeout, closeTimeout);
    }

    @Override
    public String toString() {
        return "AckConfig{order=" + order + ", maxInFlight=" + maxInFlight + ", " + client + '}';
    }
}
