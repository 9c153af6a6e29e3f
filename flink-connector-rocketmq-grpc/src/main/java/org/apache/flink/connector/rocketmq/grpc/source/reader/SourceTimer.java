/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;

/**
 * Runs short actions later. After {@link #close()} it runs nothing more and accepts everything
 * silently, because whoever asks then has nothing left to wait for.
 */
interface SourceTimer extends AutoCloseable {

    /** Runs an action that does not block, once, after a delay. */
    void after(Duration delay, Runnable action);

    @Override
    void close();
}
