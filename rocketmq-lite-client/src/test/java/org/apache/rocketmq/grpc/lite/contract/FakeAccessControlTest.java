/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

/** The fake asks for what the real server does. */
class FakeAccessControlTest extends ClientAccessContract {

    @Override
    GuardedServer startServer() {
        return GuardedServer.fake();
    }
}
