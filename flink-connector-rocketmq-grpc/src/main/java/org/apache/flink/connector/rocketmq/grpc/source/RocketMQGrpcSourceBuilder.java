/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.time.Duration;
import java.util.Objects;
import javax.annotation.Nullable;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.reader.LiteConsumerFactory;

/**
 * Builds a {@link RocketMQGrpcSource}.
 *
 * <p>Every setter stands for one {@link ConfigOption}; the last value given to an option counts.
 * Nothing is checked before {@link #build()}. Not thread-safe.
 *
 * @param <OUT> type of the values
 */
@PublicEvolving
public final class RocketMQGrpcSourceBuilder<OUT> {

    private final Configuration configuration = new Configuration();
    private LiteConsumerFactory consumerFactory = LiteConsumerFactory.CLIENT;
    private RocketMQDeserializationSchema<OUT> schema;

    RocketMQGrpcSourceBuilder() {}

    /** Proxy endpoints, {@code host:port}, several separated by {@code ;}; required. */
    public RocketMQGrpcSourceBuilder<OUT> setEndpoints(String endpoints) {
        return set(RocketMQGrpcClientOptions.ENDPOINTS, endpoints);
    }

    /**
     * Namespace sent with every request; default none. The open-source proxy ignores it.
     *
     * @param namespace null and empty mean none
     */
    public RocketMQGrpcSourceBuilder<OUT> setNamespace(@Nullable String namespace) {
        return set(RocketMQGrpcClientOptions.NAMESPACE, namespace == null ? "" : namespace);
    }

    /** Access key; goes together with the secret key. */
    public RocketMQGrpcSourceBuilder<OUT> setAccessKey(String accessKey) {
        return set(RocketMQGrpcClientOptions.ACCESS_KEY, accessKey);
    }

    /** Secret key; goes together with the access key. */
    public RocketMQGrpcSourceBuilder<OUT> setSecretKey(String secretKey) {
        return set(RocketMQGrpcClientOptions.SECRET_KEY, secretKey);
    }

    /** Security token of temporary credentials. */
    public RocketMQGrpcSourceBuilder<OUT> setSecurityToken(String securityToken) {
        return set(RocketMQGrpcClientOptions.SECURITY_TOKEN, securityToken);
    }

    /** Name of the class that finds credentials on the TaskManager. */
    public RocketMQGrpcSourceBuilder<OUT> setCredentialsResolverClass(
            String credentialsResolverClass) {
        return set(RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS, credentialsResolverClass);
    }

    /** Where {@code FileCredentialsResolver} finds its files on the TaskManagers. */
    public RocketMQGrpcSourceBuilder<OUT> setCredentialsDirectory(String credentialsDirectory) {
        return set(RocketMQGrpcClientOptions.CREDENTIALS_DIRECTORY, credentialsDirectory);
    }

    /** Whether to talk TLS to the proxy; default no. */
    public RocketMQGrpcSourceBuilder<OUT> setTlsEnabled(boolean tlsEnabled) {
        return set(RocketMQGrpcClientOptions.TLS_ENABLED, tlsEnabled);
    }

    /** PEM file of the certificates to trust; default the JVM's trust store. */
    public RocketMQGrpcSourceBuilder<OUT> setTlsTrustCertificates(String tlsTrustCertificates) {
        return set(RocketMQGrpcClientOptions.TLS_TRUST_CERTIFICATES, tlsTrustCertificates);
    }

    /** Whether the server's certificate and host name are verified; default yes. */
    public RocketMQGrpcSourceBuilder<OUT> setTlsVerify(boolean tlsVerify) {
        return set(RocketMQGrpcClientOptions.TLS_VERIFY, tlsVerify);
    }

    /** PEM file of the client certificate for mutual TLS. */
    public RocketMQGrpcSourceBuilder<OUT> setTlsClientCertificate(String tlsClientCertificate) {
        return set(RocketMQGrpcClientOptions.TLS_CLIENT_CERTIFICATE, tlsClientCertificate);
    }

    /** PEM file of the client key for mutual TLS. */
    public RocketMQGrpcSourceBuilder<OUT> setTlsClientKey(String tlsClientKey) {
        return set(RocketMQGrpcClientOptions.TLS_CLIENT_KEY, tlsClientKey);
    }

    /** How long one request may take; default 3 s. */
    public RocketMQGrpcSourceBuilder<OUT> setRequestTimeout(Duration requestTimeout) {
        return set(RocketMQGrpcClientOptions.REQUEST_TIMEOUT, requestTimeout);
    }

    /** The main topic whose lite topics are read; required. */
    public RocketMQGrpcSourceBuilder<OUT> setMainTopic(String mainTopic) {
        return set(RocketMQGrpcSourceOptions.MAIN_TOPIC, mainTopic);
    }

    /** The consumer group, bound to the main topic, with the wildcard attribute; required. */
    public RocketMQGrpcSourceBuilder<OUT> setConsumerGroup(String consumerGroup) {
        return set(RocketMQGrpcSourceOptions.CONSUMER_GROUP, consumerGroup);
    }

    /** Long polls in flight per broker and subtask; default 1. */
    public RocketMQGrpcSourceBuilder<OUT> setFetchConcurrency(int fetchConcurrency) {
        return set(RocketMQGrpcSourceOptions.FETCH_CONCURRENCY, fetchConcurrency);
    }

    /** How long the server holds an empty poll, at least 5 s; default 20 s, its longest. */
    public RocketMQGrpcSourceBuilder<OUT> setAwaitDuration(Duration awaitDuration) {
        return set(RocketMQGrpcSourceOptions.AWAIT_DURATION, awaitDuration);
    }

    /**
     * How long a delivered message stays invisible to others, 10 s to 12 h; default 60 s. It must
     * cover the processing of a whole delivery.
     */
    public RocketMQGrpcSourceBuilder<OUT> setInvisibleDuration(Duration invisibleDuration) {
        return set(RocketMQGrpcSourceOptions.INVISIBLE_DURATION, invisibleDuration);
    }

    /** Most messages of one poll, 1 to 32; default 32. */
    public RocketMQGrpcSourceBuilder<OUT> setMaxMessageNum(int maxMessageNum) {
        return set(RocketMQGrpcSourceOptions.MAX_MESSAGE_NUM, maxMessageNum);
    }

    /** Most bytes of message bodies that wait in one subtask; default 64 MiB. */
    public RocketMQGrpcSourceBuilder<OUT> setMaxQueuedBytes(MemorySize maxQueuedBytes) {
        return set(RocketMQGrpcSourceOptions.MAX_QUEUED_BYTES, maxQueuedBytes);
    }

    /**
     * Name of the class that decides whether a message waiting in the reader is renewed, an {@code
     * InvisibleDurationRenewalPolicy}; default none, nothing is renewed.
     */
    public RocketMQGrpcSourceBuilder<OUT> setRenewalPolicyClass(String renewalPolicyClass) {
        return set(RocketMQGrpcSourceOptions.RENEWAL_POLICY_CLASS, renewalPolicyClass);
    }

    /** How long before the end of its lease a waiting message is renewed; default 5 s. */
    public RocketMQGrpcSourceBuilder<OUT> setRenewalAheadTime(Duration renewalAheadTime) {
        return set(RocketMQGrpcSourceOptions.RENEWAL_AHEAD_TIME, renewalAheadTime);
    }

    /** How long after its arrival a renewed message stays invisible at most; default 1 h. */
    public RocketMQGrpcSourceBuilder<OUT> setRenewalMaxDuration(Duration renewalMaxDuration) {
        return set(RocketMQGrpcSourceOptions.RENEWAL_MAX_DURATION, renewalMaxDuration);
    }

    /** Whether a reader makes visible at its end what it never emitted; default yes. */
    public RocketMQGrpcSourceBuilder<OUT> setReleaseOnClose(boolean releaseOnClose) {
        return set(RocketMQGrpcSourceOptions.RELEASE_ON_CLOSE, releaseOnClose);
    }

    /**
     * After how long without room a reader gives up its subscription, 1 s to 1 h; default never.
     */
    public RocketMQGrpcSourceBuilder<OUT> setWithdrawAfter(Duration withdrawAfter) {
        return set(RocketMQGrpcSourceOptions.WITHDRAW_AFTER, withdrawAfter);
    }

    /**
     * What happens to a message that cannot be turned into records, or whose body is damaged;
     * default: the job fails.
     */
    public RocketMQGrpcSourceBuilder<OUT> setDeserializationFailurePolicy(
            DeserializationFailurePolicy policy) {
        return set(RocketMQGrpcSourceOptions.DESERIALIZATION_FAILURE_POLICY, policy);
    }

    /** With {@code retry-later}: how long until the next attempt; default 30 s. */
    public RocketMQGrpcSourceBuilder<OUT> setDeserializationRetryDelay(Duration delay) {
        return set(RocketMQGrpcSourceOptions.DESERIALIZATION_RETRY_DELAY, delay);
    }

    /** With {@code retry-later}: attempts in all; default 3. */
    public RocketMQGrpcSourceBuilder<OUT> setDeserializationMaxAttempts(int attempts) {
        return set(RocketMQGrpcSourceOptions.DESERIALIZATION_MAX_ATTEMPTS, attempts);
    }

    /**
     * With {@code retry-later}: whether the message is skipped after the last attempt, rather than
     * the job failed; default no.
     */
    public RocketMQGrpcSourceBuilder<OUT> setDeserializationSkipAfterRetries(boolean skip) {
        return set(RocketMQGrpcSourceOptions.DESERIALIZATION_SKIP_AFTER_RETRIES, skip);
    }

    /**
     * Makes the source bounded: each reader ends when nothing came for so long. The time counts
     * from 20 s after the reader joined, and not before the leases of what it emitted have ended.
     */
    public RocketMQGrpcSourceBuilder<OUT> setBoundedByIdle(Duration idle) {
        return set(RocketMQGrpcSourceOptions.BOUNDED_BY_IDLE, idle);
    }

    /** Turns messages into records; this or {@link #setValueOnlyDeserializer} is required. */
    public RocketMQGrpcSourceBuilder<OUT> setDeserializer(
            RocketMQDeserializationSchema<OUT> deserializer) {
        this.schema = Objects.requireNonNull(deserializer, "deserializer");
        return this;
    }

    /** Turns the bodies of messages into records. */
    public RocketMQGrpcSourceBuilder<OUT> setValueOnlyDeserializer(
            DeserializationSchema<OUT> deserializer) {
        return setDeserializer(RocketMQDeserializationSchema.valueOnly(deserializer));
    }

    /** Sets any option; neither may be null. */
    public <T> RocketMQGrpcSourceBuilder<OUT> set(ConfigOption<T> option, T value) {
        configuration.set(option, Objects.requireNonNull(value, option.key()));
        return this;
    }

    /** Sets every option that the configuration holds, for example those of a properties file. */
    public RocketMQGrpcSourceBuilder<OUT> setConfiguration(Configuration options) {
        configuration.addAll(options);
        return this;
    }

    /** Replaces the client; for tests. */
    RocketMQGrpcSourceBuilder<OUT> setConsumerFactory(LiteConsumerFactory factory) {
        this.consumerFactory = factory;
        return this;
    }

    /**
     * Checks everything and builds the source; connects to nothing.
     *
     * @throws IllegalArgumentException naming the option, its value and what is allowed
     */
    public RocketMQGrpcSource<OUT> build() {
        OptionNames.refuseUnknown(configuration);
        SourceConfig config = SourceConfig.from(configuration);
        if (schema == null) {
            throw new IllegalArgumentException(
                    "deserializer: not set (expected: setDeserializer or"
                            + " setValueOnlyDeserializer)");
        }
        return new RocketMQGrpcSource<>(config, schema, consumerFactory);
    }
}
