/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.fixtures.DevClusterLiteServer;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;
import org.junit.jupiter.api.AfterAll;

/** The contract against a real cluster of two brokers, which lives for this class. */
class RealTwoBrokersITCase extends TwoBrokersContract {

    private DevCluster cluster;

    @Override
    LiteServer startServer() {
        cluster = DevCluster.builder().brokers(2).start();
        return new DevClusterLiteServer(cluster);
    }

    @AfterAll
    void closeCluster() {
        if (cluster != null) {
            cluster.close();
        }
    }
}
