/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.fixtures.DevClusterLiteServer;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;

/** The contract against the real server. */
class RealServerContractITCase extends LiteClientContract {

    @Override
    LiteServer startServer() {
        return new DevClusterLiteServer(DevCluster.shared());
    }
}
