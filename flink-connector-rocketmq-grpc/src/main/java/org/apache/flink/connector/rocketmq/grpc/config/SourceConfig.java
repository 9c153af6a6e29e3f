/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteSubscription;

/** What the source was asked to do, validated once for every way to say it. Immutable. */
@Internal
public final class SourceConfig implements Serializable {

    private static final long serialVersionUID = 1L;
    private static final int MAX_TOPIC_LENGTH = 127;
    private static final int MAX_GROUP_LENGTH = 120;
    private static final int MAX_FETCH_CONCURRENCY = 256;
    private static final int MAX_BATCH = 32;
    private static final Duration MIN_AWAIT = Duration.ofSeconds(5);
    private static final Duration MAX_AWAIT = Duration.ofMinutes(5);
    private static final Duration MIN_INVISIBLE = Duration.ofSeconds(10);
    private static final Duration MIN_IDLE = Duration.ofSeconds(1);
    private static final MemorySize MIN_QUEUED_BYTES = MemorySize.ofMebiBytes(4);

    private final ClientConfig client;
    private final String endpoints;
    private final String mainTopic;
    private final String consumerGroup;
    private final Polling polling;

    private SourceConfig(
            ClientConfig client,
            String endpoints,
            String mainTopic,
            String consumerGroup,
            Polling polling) {
        this.client = client;
        this.endpoints = endpoints;
        this.mainTopic = mainTopic;
        this.consumerGroup = consumerGroup;
        this.polling = polling;
    }

    /**
     * Reads and validates the client and source options.
     *
     * @throws IllegalArgumentException naming key, value and what is allowed
     */
    public static SourceConfig from(ReadableConfig config) {
        Endpoints endpoints = ClientConfig.endpointsOf(config);
        String topic =
                OptionChecks.requiredName(
                        config, RocketMQGrpcSourceOptions.MAIN_TOPIC, MAX_TOPIC_LENGTH);
        String group =
                OptionChecks.requiredName(
                        config, RocketMQGrpcSourceOptions.CONSUMER_GROUP, MAX_GROUP_LENGTH);
        ClientConfig client = ClientConfig.from(config);
        Polling polling = new Polling();
        polling.fetchConcurrency =
                OptionChecks.range(
                        config,
                        RocketMQGrpcSourceOptions.FETCH_CONCURRENCY,
                        1,
                        MAX_FETCH_CONCURRENCY);
        polling.maxMessageNum =
                OptionChecks.range(config, RocketMQGrpcSourceOptions.MAX_MESSAGE_NUM, 1, MAX_BATCH);
        polling.awaitDuration =
                OptionChecks.range(
                        config, RocketMQGrpcSourceOptions.AWAIT_DURATION, MIN_AWAIT, MAX_AWAIT);
        polling.invisibleDuration =
                OptionChecks.range(
                        config,
                        RocketMQGrpcSourceOptions.INVISIBLE_DURATION,
                        MIN_INVISIBLE,
                        OptionChecks.MAX_INVISIBLE);
        polling.waiting = WaitingConfig.from(config, polling.invisibleDuration);
        polling.maxQueuedBytes = queuedBytesOf(config);
        polling.deserialization = DeserializationConfig.from(config);
        polling.boundedByIdle = boundedByIdleOf(config);
        return new SourceConfig(client, endpoints.toString(), topic, group, polling);
    }

    private static Duration boundedByIdleOf(ReadableConfig config) {
        String expected =
                OptionChecks.text(MIN_IDLE)
                        + " to "
                        + OptionChecks.text(OptionChecks.MAX_INVISIBLE)
                        + ", or not set";
        Duration idle =
                OptionChecks.get(config, RocketMQGrpcSourceOptions.BOUNDED_BY_IDLE, expected);
        if (idle != null
                && (idle.compareTo(MIN_IDLE) < 0
                        || idle.compareTo(OptionChecks.MAX_INVISIBLE) > 0)) {
            throw OptionChecks.wrong(
                    RocketMQGrpcSourceOptions.BOUNDED_BY_IDLE, OptionChecks.text(idle), expected);
        }
        return idle;
    }

    private static long queuedBytesOf(ReadableConfig config) {
        String expected =
                "at least " + MIN_QUEUED_BYTES.toHumanReadableString() + ", the largest message";
        MemorySize size =
                OptionChecks.get(config, RocketMQGrpcSourceOptions.MAX_QUEUED_BYTES, expected);
        if (size.compareTo(MIN_QUEUED_BYTES) < 0) {
            throw OptionChecks.wrong(
                    RocketMQGrpcSourceOptions.MAX_QUEUED_BYTES,
                    size.toHumanReadableString(),
                    expected);
        }
        return size.getBytes();
    }

    /** How to talk to RocketMQ. */
    public ClientConfig client() {
        return client;
    }

    /** Endpoints in normal form. */
    public String endpoints() {
        return endpoints;
    }

    /** Namespace; empty for none. */
    public String namespace() {
        return client.namespace();
    }

    /** Main topic. */
    public String mainTopic() {
        return mainTopic;
    }

    /** Consumer group. */
    public String consumerGroup() {
        return consumerGroup;
    }

    /** Long polls in flight per broker. */
    public int fetchConcurrency() {
        return polling.fetchConcurrency;
    }

    /** Most messages of one poll. */
    public int maxMessageNum() {
        return polling.maxMessageNum;
    }

    /** Lease of a delivery. */
    public Duration invisibleDuration() {
        return polling.invisibleDuration;
    }

    /** Most bytes of bodies waiting in one subtask. */
    public long maxQueuedBytes() {
        return polling.maxQueuedBytes;
    }

    /** What becomes of messages that wait. */
    public WaitingConfig waiting() {
        return polling.waiting;
    }

    /** What becomes of messages that cannot be read. */
    public DeserializationConfig deserialization() {
        return polling.deserialization;
    }

    /** After how long without a message a reader ends; empty for never. */
    public Optional<Duration> boundedByIdle() {
        return Optional.ofNullable(polling.boundedByIdle);
    }

    /** The client's configuration. */
    public LiteClientConfig toLiteClientConfig() {
        return client.toLiteClientConfig(Endpoints.parse(endpoints), client.namespace());
    }

    /** The client's subscription. */
    public LiteSubscription toSubscription() {
        return new LiteSubscription(
                mainTopic, consumerGroup, polling.awaitDuration, polling.invisibleDuration);
    }

    @Override
    public String toString() {
        return "SourceConfig{endpoints="
                + endpoints
                + ", topic="
                + mainTopic
                + ", group="
                + consumerGroup
                + '}';
    }

    /** The numbers of polling. */
    private static final class Polling implements Serializable {
        private static final long serialVersionUID = 1L;
        private int fetchConcurrency;
        private int maxMessageNum;
        private Duration awaitDuration;
        private Duration invisibleDuration;
        private long maxQueuedBytes;
        private WaitingConfig waiting;
        private DeserializationConfig deserialization;
        private Duration boundedByIdle;
    }
}
