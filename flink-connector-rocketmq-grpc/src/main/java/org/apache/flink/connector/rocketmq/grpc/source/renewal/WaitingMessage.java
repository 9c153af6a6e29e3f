/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;

/** What is known of a message that waits in a reader, without its content. Immutable. */
@PublicEvolving
public interface WaitingMessage {

    /** The lite topic it came from. */
    String getLiteTopic();

    /** Its message id. */
    String getMessageId();

    /** The delivery attempt that the server told, from 1; not reliable for lite topics. */
    int getDeliveryAttempt();

    /** When its producer made it, milliseconds since the epoch on the producer's clock. */
    long getBornTimestamp();

    /** How long it has been waiting in this reader. */
    Duration getWaited();

    /** From its arrival to the end of its invisible duration as it stands, renewals included. */
    Duration getTotalSoFar();

    /** How often it was renewed. */
    int getRenewals();
}
