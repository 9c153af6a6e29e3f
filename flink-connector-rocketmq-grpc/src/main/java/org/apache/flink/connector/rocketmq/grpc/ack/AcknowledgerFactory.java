/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/** Makes the connection of one acknowledging session; the seam between sequencing and the wire. */
@FunctionalInterface
interface AcknowledgerFactory {

    /** Creates it without connecting. */
    LiteAcknowledger create(LiteClientConfig config, String group, String topic);

    /** Nothing will be created any more. Idempotent. */
    default void close() {}
}
