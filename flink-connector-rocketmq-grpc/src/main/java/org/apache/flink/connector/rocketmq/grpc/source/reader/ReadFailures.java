/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationConfig;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what becomes of a message that could not be read, as the options say. Used by the task
 * thread.
 */
final class ReadFailures {

    /** Most messages whose attempts are counted at a time. */
    static final int MOST_COUNTED = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ReadFailures.class);

    private final DeserializationConfig config;
    private final SourceMetrics metrics;
    private final FailedAttempts attempts = new FailedAttempts(MOST_COUNTED);
    private boolean warned;

    ReadFailures(DeserializationConfig config, SourceMetrics metrics) {
        this.config = config;
        this.metrics = metrics;
    }

    /**
     * A message could not be read.
     *
     * @return true if it is to be tried again later, false if it is to be settled without a record
     * @throws IOException the job is to fail
     */
    boolean isRetried(LiteMessage message, IOException failure) throws IOException {
        metrics.deserializationError();
        if (config.failurePolicy() == DeserializationFailurePolicy.FAIL) {
            throw failure;
        }
        if (config.failurePolicy() == DeserializationFailurePolicy.SKIP) {
            skip(message, failure);
            return false;
        }
        int failed = attempts.failed(message.messageId());
        if (failed < config.maxAttempts()) {
            metrics.retriedLater();
            LOG.debug("attempt {} failed, tried again later: {}", failed, message, failure);
            return true;
        }
        attempts.forget(message.messageId());
        if (!config.skipAfterRetries()) {
            throw new IOException(
                    failure.getMessage() + ", after " + failed + " attempts", failure);
        }
        skip(message, failure);
        return false;
    }

    private void skip(LiteMessage message, IOException failure) {
        metrics.skipped();
        LOG.debug("skipped {}", message, failure);
        if (!warned) {
            warned = true;
            LOG.warn(
                    "skipped a message: {}, cause {}; further cases are only counted (skipped)",
                    failure.getMessage(),
                    failure.getCause() == null ? "none" : failure.getCause().getClass().getName());
        }
    }

    /** A message was read. */
    void succeeded(LiteMessage message) {
        if (attempts.size() > 0) {
            attempts.forget(message.messageId());
        }
    }
}
