/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.util.concurrent.CompletionException;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/** Finds the {@link RpcException} in what a future failed with. Stateless. */
final class Failures {

    private Failures() {}

    /**
     * @return the failure itself; one of unknown origin, which would be a defect of this client, as
     *     a transient one that keeps it as its cause
     */
    static RpcException of(Throwable error, String endpoint) {
        Throwable inner = error;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        if (inner instanceof RpcException) {
            return (RpcException) inner;
        }
        return new RpcException(
                ErrorKind.TRANSIENT, "UNKNOWN", "", endpoint, String.valueOf(inner), inner);
    }

    /**
     * A call that ended, or was never made, because the client is closed.
     *
     * @param kind transient for a call under way, fatal for one that came too late
     */
    static RpcException closed(ErrorKind kind, String endpoint) {
        return new RpcException(kind, CallInfo.CLOSED, "", endpoint, "the client is closed", null);
    }
}
