/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.SourceReaderOptions;
import org.apache.flink.connector.base.source.reader.fetcher.SingleThreadFetcherManager;
import org.apache.flink.connector.rocketmq.grpc.config.ClientCredentials;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.InvisibleDurationRenewalPolicy;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.RenewalPolicies;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.Clock;
import org.apache.flink.util.clock.SystemClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reader of one subtask: Flink's fetcher around one {@link ReceiveSession}.
 *
 * <p>It has no state: the broker keeps the progress, and a restored reader gets a new split from
 * the enumerator. Closing takes at most about 4 s unless {@code source.reader.close.timeout} says
 * otherwise, and 1 s more for each of a renewal policy and a credentials resolver that does not
 * close.
 *
 * @param <OUT> type of the records
 */
@Internal
@SuppressWarnings("try") // Flink's close() may be interrupted
public final class RocketMQSourceReader<OUT>
        extends SingleThreadMultiplexSourceReaderBase<
                QueuedMessage, AckableMessage<OUT>, PlaceholderSplit, PlaceholderSplit> {

    private static final Logger LOG = LoggerFactory.getLogger(RocketMQSourceReader.class);
    private static final long CLOSE_TIMEOUT_MILLIS = 4000;

    private final ReceiveSession session;
    private final Runnable policyEnd;
    private final ClientCredentials credentials;

    private boolean closed;

    private RocketMQSourceReader(
            ReceiveSession session,
            Runnable policyEnd,
            ClientCredentials credentials,
            MessageEmitter<OUT> emitter,
            Configuration configuration,
            SourceReaderContext context) {
        super(
                new SingleThreadFetcherManager<>(() -> new LiteSplitReader(session), configuration),
                emitter,
                configuration,
                context);
        this.session = session;
        this.policyEnd = policyEnd;
        this.credentials = credentials;
    }

    /**
     * A reader that begins to receive when it gets its split.
     *
     * @param schema opened already
     * @throws IllegalArgumentException the renewal policy cannot be made or does not open
     */
    public static <OUT> RocketMQSourceReader<OUT> create(
            SourceConfig config,
            RocketMQDeserializationSchema<OUT> schema,
            LiteConsumerFactory factory,
            SourceReaderContext context) {
        TimerThread timer = newTimer(context);
        Optional<InvisibleDurationRenewalPolicy> renewal =
                RenewalPolicies.open(
                        config,
                        context,
                        policy -> PolicyEnd.close(policy, timer, newTimer(context)));
        Runnable policyEnd =
                () -> renewal.ifPresent(p -> PolicyEnd.close(p, timer, newTimer(context)));
        ClientCredentials credentials = null;
        try {
            credentials =
                    ClientCredentials.open(
                            config.client(), context.getUserCodeClassLoader().asClassLoader());
            ReceiveSession session =
                    new ReceiveSession(
                            config,
                            factory.signing(credentials),
                            renewal,
                            new SourceMetrics(context.metricGroup()),
                            timer,
                            SystemClock.getInstance());
            return create(config, schema, session, policyEnd, credentials, context);
        } catch (RuntimeException | Error e) {
            // nobody else will
            policyEnd.run();
            if (credentials != null) {
                credentials.close();
            }
            throw e;
        }
    }

    private static TimerThread newTimer(SourceReaderContext context) {
        return new TimerThread(
                context.getIndexOfSubtask(), context.getUserCodeClassLoader().asClassLoader());
    }

    private static <OUT> RocketMQSourceReader<OUT> create(
            SourceConfig config,
            RocketMQDeserializationSchema<OUT> schema,
            ReceiveSession session,
            Runnable policyEnd,
            ClientCredentials credentials,
            SourceReaderContext context) {
        Clock clock = SystemClock.getInstance();
        SourceMetrics metrics = session.metrics();
        SourceAcker acker =
                new SourceAcker(config, session::ack, session::busyUntil, clock, metrics);
        MessageEmitter<OUT> emitter =
                new MessageEmitter<>(
                        config,
                        new Deserializer<>(config.mainTopic(), schema),
                        acker,
                        session::changeInvisibleDuration,
                        session::busyUntil,
                        metrics,
                        clock);
        return new RocketMQSourceReader<>(
                session, policyEnd, credentials, emitter, boundedClose(context), context);
    }

    private static Configuration boundedClose(SourceReaderContext context) {
        Configuration configuration = new Configuration(context.getConfiguration());
        if (!configuration.contains(SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT)) {
            configuration.set(
                    SourceReaderOptions.SOURCE_READER_CLOSE_TIMEOUT, CLOSE_TIMEOUT_MILLIS);
        }
        return configuration;
    }

    @Override
    public List<PlaceholderSplit> snapshotState(long checkpointId) {
        return Collections.emptyList();
    }

    @Override
    protected PlaceholderSplit initializedState(PlaceholderSplit split) {
        return split;
    }

    @Override
    protected PlaceholderSplit toSplitType(String splitId, PlaceholderSplit split) {
        return split;
    }

    @Override
    protected void onSplitFinished(Map<String, PlaceholderSplit> finished) {
        LOG.info("idle for long enough, the bounded reading ends: {}", finished.keySet());
    }

    /** Idempotent, which Flink's own part is not. */
    @Override
    public void close() throws Exception {
        if (closed) {
            return;
        }
        closed = true;
        try {
            super.close();
        } finally {
            session.close();
            policyEnd.run();
            credentials.close();
        }
    }
}
