/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import org.apache.rocketmq.grpc.lite.fixtures.FakeLiteServer;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;

/** The contract against the fake. */
class FakeTwoBrokersTest extends TwoBrokersContract {

    @Override
    LiteServer startServer() {
        return new FakeLiteServer("broker-a", "broker-b");
    }
}
