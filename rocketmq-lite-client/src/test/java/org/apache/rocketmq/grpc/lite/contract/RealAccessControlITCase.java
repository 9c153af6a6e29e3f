/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

/** The real server asks for what we rely on. */
class RealAccessControlITCase extends ClientAccessContract {

    @Override
    GuardedServer startServer() {
        return GuardedServer.real();
    }
}
