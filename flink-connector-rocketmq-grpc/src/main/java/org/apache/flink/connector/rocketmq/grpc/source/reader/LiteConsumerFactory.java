/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.Serializable;
import org.apache.flink.annotation.Internal;
import org.apache.flink.connector.rocketmq.grpc.config.ClientCredentials;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;

/** Makes the consumer of one reader; the seam between the source and the client. */
@Internal
@FunctionalInterface
public interface LiteConsumerFactory extends Serializable {

    /** The real client. */
    LiteConsumerFactory CLIENT = new ClientConsumerFactory();

    /** A consumer that is not started yet; must not block. */
    LiteSimpleConsumer create(SourceConfig config);

    /** One whose consumers sign with these credentials; itself where nothing is signed. */
    default LiteConsumerFactory signing(ClientCredentials credentials) {
        return this;
    }
}
