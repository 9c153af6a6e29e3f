/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

/** What a failed call means for its caller; decided in one place for every RPC. */
public enum ErrorKind {
    /** Repeating cannot help: a wrong credential, a wrong name, a wrong argument. */
    FATAL,

    /** May pass by itself: broker or proxy away, overloaded, timed out. Repeat with backoff. */
    TRANSIENT,

    /**
     * The receipt handle is past its invisible duration. The message is or will be delivered again;
     * repeating the call is pointless.
     */
    STALE_HANDLE
}
