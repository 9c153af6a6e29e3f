/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.Serializable;
import org.apache.flink.annotation.Internal;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;

/** Makes the consumer of one reader; the seam between the source and the client. */
@Internal
@FunctionalInterface
public interface LiteConsumerFactory extends Serializable {

    /** The real client. */
    LiteConsumerFactory CLIENT =
            config ->
                    LiteSimpleConsumer.create(config.toLiteClientConfig(), config.toSubscription());

    /** A consumer that is not started yet; must not block. */
    LiteSimpleConsumer create(SourceConfig config);
}
