/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.util.Optional;
import org.apache.rocketmq.grpc.lite.Endpoints;

/** A channel that never connects, for classes that only pass one on. */
final class TestChannel implements AutoCloseable {

    private final IoLoop loop = new IoLoop("test");
    private final RpcChannel channel =
            RpcChannel.open(
                    Endpoints.parse("127.0.0.1:1").addresses().get(0),
                    loop,
                    new RequestHeaders("test-client", ""),
                    new ClientAccess(Optional.empty(), "topic", "group", loop),
                    () -> true);

    /** The channel. */
    RpcChannel get() {
        return channel;
    }

    @Override
    public void close() {
        channel.close();
        loop.shutdown();
    }
}
