/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** What becomes of messages that cannot be read; the part of {@link SourceConfig} about it. */
@Internal
public final class DeserializationConfig implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(100);
    private static final int MAX_ATTEMPTS = 1000;

    private final DeserializationFailurePolicy failurePolicy;
    private final Duration retryDelay;
    private final int maxAttempts;
    private final boolean skipAfterRetries;

    private DeserializationConfig(
            DeserializationFailurePolicy failurePolicy,
            Duration retryDelay,
            int maxAttempts,
            boolean skipAfterRetries) {
        this.failurePolicy = failurePolicy;
        this.retryDelay = retryDelay;
        this.maxAttempts = maxAttempts;
        this.skipAfterRetries = skipAfterRetries;
    }

    /** Reads and validates. */
    static DeserializationConfig from(ReadableConfig config) {
        DeserializationFailurePolicy policy =
                OptionChecks.get(
                        config,
                        RocketMQGrpcSourceOptions.DESERIALIZATION_FAILURE_POLICY,
                        "one of " + Arrays.toString(DeserializationFailurePolicy.values()));
        if (policy != DeserializationFailurePolicy.RETRY_LATER) {
            refuse(config, RocketMQGrpcSourceOptions.DESERIALIZATION_RETRY_DELAY, policy);
            refuse(config, RocketMQGrpcSourceOptions.DESERIALIZATION_MAX_ATTEMPTS, policy);
            refuse(config, RocketMQGrpcSourceOptions.DESERIALIZATION_SKIP_AFTER_RETRIES, policy);
        }
        return new DeserializationConfig(
                policy,
                OptionChecks.range(
                        config,
                        RocketMQGrpcSourceOptions.DESERIALIZATION_RETRY_DELAY,
                        MIN_RETRY_DELAY,
                        OptionChecks.MAX_INVISIBLE),
                OptionChecks.range(
                        config,
                        RocketMQGrpcSourceOptions.DESERIALIZATION_MAX_ATTEMPTS,
                        1,
                        MAX_ATTEMPTS),
                OptionChecks.get(
                        config,
                        RocketMQGrpcSourceOptions.DESERIALIZATION_SKIP_AFTER_RETRIES,
                        "true or false"));
    }

    /** An option about retries means nothing without them. */
    private static void refuse(
            ReadableConfig config, ConfigOption<?> option, DeserializationFailurePolicy policy) {
        if (config.getOptional(option).isPresent()) {
            throw OptionChecks.wrong(
                    option,
                    "set, but "
                            + RocketMQGrpcSourceOptions.DESERIALIZATION_FAILURE_POLICY.key()
                            + " is "
                            + policy,
                    "not set, or " + DeserializationFailurePolicy.RETRY_LATER);
        }
    }

    /** What happens to a message that cannot be read. */
    public DeserializationFailurePolicy failurePolicy() {
        return failurePolicy;
    }

    /** How long until the next attempt. */
    public Duration retryDelay() {
        return retryDelay;
    }

    /** Attempts in all, the first one included. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** Whether the message is skipped after the last attempt, rather than the job failed. */
    public boolean skipAfterRetries() {
        return skipAfterRetries;
    }
}
