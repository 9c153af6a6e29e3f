/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import org.apache.flink.annotation.PublicEvolving;

/**
 * What a {@link MessageThrottlePolicy} may know of the message it judges beside its value. Valid
 * during the call only.
 */
@PublicEvolving
public interface ThrottleContext {

    /** Endpoints of the cluster the message came from, in normal form. */
    String getEndpoint();

    /** Namespace; empty if none was set. */
    String getNamespace();

    /** Main topic. */
    String getTopic();

    /** Lite topic: what a deferral silences. */
    String getLiteTopic();

    /** Consumer group that received the message. */
    String getConsumerGroup();

    /** Message id. */
    String getMessageId();

    /**
     * How often the server says it delivered the message, from 1. A deferral does not raise it
     * reliably: use {@link #getDeferrals()} to count refusals.
     */
    int getDeliveryAttempt();

    /**
     * How often this operator deferred exactly this message before; survives restarts. It may start
     * again from 0 when very many messages are deferred at a time.
     */
    int getDeferrals();

    /** When the producer made the message, milliseconds since the epoch on its clock. */
    long getBornTimestamp();

    /**
     * Place of the message in its delivery, from 0: how many messages the server handed out before
     * it in the same answer, at most 31.
     */
    int getIndexInDelivery();

    /** Processing time, milliseconds since the epoch: the clock to measure a rate with. */
    long currentTimeMillis();
}
