/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import org.apache.flink.annotation.PublicEvolving;

/** How an ack or a deferral ended when nothing is wrong with the job. */
@PublicEvolving
public enum AckOutcome {
    /** The server took it. */
    SETTLED,

    /**
     * Too late: the invisible duration of the message ended before the server took it. The message
     * is or will be delivered again.
     */
    STALE,

    /**
     * Let go without a request: an earlier message of the same delivery (or this one) was deferred,
     * or stayed unfinished where nothing may overtake it, so the server delivers this message again
     * together with that one.
     */
    DROPPED
}
