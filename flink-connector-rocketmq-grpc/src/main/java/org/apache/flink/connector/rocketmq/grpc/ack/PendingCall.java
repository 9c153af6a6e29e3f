/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** A call that has no end yet; a session that dies fails all of its calls. */
interface PendingCall {

    /** What the call is about. */
    RocketMQReceiptHandle handle();

    /** Ends it, unless it has its end; outside the session's lock. */
    void fail(AckFailedException failure);
}
