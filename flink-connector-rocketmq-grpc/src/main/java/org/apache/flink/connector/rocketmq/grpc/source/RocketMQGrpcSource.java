/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.enumerator.EnumeratorState;
import org.apache.flink.connector.rocketmq.grpc.source.enumerator.EnumeratorStateSerializer;
import org.apache.flink.connector.rocketmq.grpc.source.enumerator.PlaceholderSplitEnumerator;
import org.apache.flink.connector.rocketmq.grpc.source.reader.LiteConsumerFactory;
import org.apache.flink.connector.rocketmq.grpc.source.reader.RocketMQSourceReader;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplitSerializer;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/**
 * Reads all lite topics of one main topic through one wildcard subscription.
 *
 * <p>The source acknowledges nothing it emits: every record travels with its receipt handle, and
 * whoever finishes the work acks or defers it. What nobody settles is delivered again when its
 * invisible duration ends, so the source is at-least-once. The broker balances the lite topics over
 * all subtasks; there are no partitions.
 *
 * <pre>{@code
 * RocketMQGrpcSource<String> source = RocketMQGrpcSource.<String>builder()
 *         .setEndpoints("127.0.0.1:8081")
 *         .setConsumerGroup("GID-lite")
 *         .setMainTopic("LiteMainTopic")
 *         .setValueOnlyDeserializer(new SimpleStringSchema())
 *         .build();
 * }</pre>
 *
 * @param <OUT> type of the values
 */
@PublicEvolving
public final class RocketMQGrpcSource<OUT>
        implements Source<AckableMessage<OUT>, PlaceholderSplit, EnumeratorState>,
                ResultTypeQueryable<AckableMessage<OUT>> {

    private static final long serialVersionUID = 1L;

    private final SourceConfig config;
    private final RocketMQDeserializationSchema<OUT> schema;
    private final LiteConsumerFactory consumerFactory;

    RocketMQGrpcSource(
            SourceConfig config,
            RocketMQDeserializationSchema<OUT> schema,
            LiteConsumerFactory consumerFactory) {
        this.config = Objects.requireNonNull(config, "config");
        this.schema = Objects.requireNonNull(schema, "schema");
        this.consumerFactory = Objects.requireNonNull(consumerFactory, "consumerFactory");
    }

    /**
     * Starts to build a source.
     *
     * @param <OUT> type of the values
     */
    public static <OUT> RocketMQGrpcSourceBuilder<OUT> builder() {
        return new RocketMQGrpcSourceBuilder<>();
    }

    @Override
    public Boundedness getBoundedness() {
        return config.boundedByIdle().isPresent()
                ? Boundedness.BOUNDED
                : Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<AckableMessage<OUT>, PlaceholderSplit> createReader(
            SourceReaderContext context) throws Exception {
        schema.open(new SchemaContext(context));
        return RocketMQSourceReader.create(config, schema, consumerFactory, context);
    }

    @Override
    public SplitEnumerator<PlaceholderSplit, EnumeratorState> createEnumerator(
            SplitEnumeratorContext<PlaceholderSplit> context) {
        return new PlaceholderSplitEnumerator(context, config.boundedByIdle().isPresent());
    }

    @Override
    public SplitEnumerator<PlaceholderSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<PlaceholderSplit> context, EnumeratorState state) {
        return new PlaceholderSplitEnumerator(context, config.boundedByIdle().isPresent());
    }

    @Override
    public SimpleVersionedSerializer<PlaceholderSplit> getSplitSerializer() {
        return new PlaceholderSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return new EnumeratorStateSerializer();
    }

    @Override
    public TypeInformation<AckableMessage<OUT>> getProducedType() {
        return AckableMessageTypeInfo.of(schema.getProducedType());
    }

    @Override
    public String toString() {
        return "RocketMQGrpcSource{" + config + '}';
    }

    /** What a schema may use on the TaskManager. */
    private static final class SchemaContext
            implements DeserializationSchema.InitializationContext {
        private final SourceReaderContext reader;

        private SchemaContext(SourceReaderContext reader) {
            this.reader = reader;
        }

        @Override
        public MetricGroup getMetricGroup() {
            return reader.metricGroup().addGroup("deserializer");
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return reader.getUserCodeClassLoader();
        }
    }
}
