/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.ClientCredentials;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/** Connections of the real client, each with the credentials of its endpoints. Thread-safe. */
final class SignedAcknowledgers implements AcknowledgerFactory {

    private final ClientCredentials credentials;
    private final Duration closeTimeout;

    /** A resolver is made through the class loader of this thread, which is a task's. */
    SignedAcknowledgers(AckConfig config) {
        this.credentials = ClientCredentials.open(config.client(), taskClassLoader());
        this.closeTimeout = config.closeTimeout();
    }

    /** The class loader of the job whose task calls. */
    static ClassLoader taskClassLoader() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return loader == null ? SignedAcknowledgers.class.getClassLoader() : loader;
    }

    @Override
    public LiteAcknowledger create(LiteClientConfig config, String group, String topic) {
        return LiteAcknowledger.create(credentials.sign(config), group, topic);
    }

    @Override
    public void close() {
        credentials.close(closeTimeout);
    }
}
