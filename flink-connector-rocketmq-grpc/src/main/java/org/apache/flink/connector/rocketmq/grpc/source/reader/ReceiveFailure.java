/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.rocketmq.grpc.lite.RpcException;

/** Says for a person why and where receiving cannot go on. No state. */
final class ReceiveFailure {

    private ReceiveFailure() {}

    /**
     * What fails the job.
     *
     * @param broker empty if the failure is not that of one broker
     */
    static IOException of(SourceConfig config, String broker, Throwable failure) {
        Throwable cause = causeOf(failure);
        String code =
                cause instanceof RpcException
                        ? ((RpcException) cause).code()
                        : cause.getClass().getName();
        return new IOException(
                "receiving failed, topic "
                        + config.mainTopic()
                        + ", group "
                        + config.consumerGroup()
                        + ", endpoints "
                        + config.endpoints()
                        + (broker.isEmpty() ? "" : ", broker " + broker)
                        + ", code "
                        + code
                        + ": "
                        + cause.getMessage(),
                cause);
    }

    /** The failure itself, without what a future wraps around it. */
    static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }
}
