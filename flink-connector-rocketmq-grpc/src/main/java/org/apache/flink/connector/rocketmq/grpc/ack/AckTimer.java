/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

/** Clock and scheduler of a shared acknowledging client. Thread-safe. */
interface AckTimer extends AutoCloseable {

    /** Milliseconds since the epoch. */
    long nowMillis();

    /**
     * Runs something once, off the caller's thread. After {@link #close()} nothing runs any more
     * and scheduling is ignored.
     *
     * @return takes it back, unless it runs already
     */
    Runnable schedule(long delayMillis, Runnable task);

    /** Ends it; what is scheduled does not run. Waits a bounded time for what is running. */
    @Override
    void close();
}
