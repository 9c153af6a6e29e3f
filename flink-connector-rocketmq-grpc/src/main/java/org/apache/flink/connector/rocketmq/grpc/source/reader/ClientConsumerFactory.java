/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import org.apache.flink.connector.rocketmq.grpc.config.ClientCredentials;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;

/**
 * Makes consumers of the real client. Credentials are given on the TaskManager and never travel.
 */
final class ClientConsumerFactory implements LiteConsumerFactory {

    private static final long serialVersionUID = 1L;

    private final transient ClientCredentials credentials;

    /** Makes consumers that sign nothing. */
    ClientConsumerFactory() {
        this(null);
    }

    private ClientConsumerFactory(ClientCredentials credentials) {
        this.credentials = credentials;
    }

    @Override
    public LiteConsumerFactory signing(ClientCredentials others) {
        return new ClientConsumerFactory(others);
    }

    @Override
    public LiteSimpleConsumer create(SourceConfig config) {
        LiteClientConfig client = config.toLiteClientConfig();
        return LiteSimpleConsumer.create(
                credentials == null ? client : credentials.sign(client), config.toSubscription());
    }
}
