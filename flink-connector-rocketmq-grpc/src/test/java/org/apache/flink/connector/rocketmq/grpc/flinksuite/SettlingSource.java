/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.flinksuite;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.source.enumerator.EnumeratorState;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Our source as Flink's suite wants one: gives plain values, and what it gave is acked when a
 * checkpoint that covers it is complete; at once if it is bounded, because the suite's bounded jobs
 * have no checkpoints, and what nobody acks comes back without end.
 */
final class SettlingSource
        implements Source<String, PlaceholderSplit, EnumeratorState>, ResultTypeQueryable<String> {

    private static final long serialVersionUID = 1L;

    private final RocketMQGrpcSource<String> source;

    SettlingSource(RocketMQGrpcSource<String> source) {
        this.source = source;
    }

    @Override
    public Boundedness getBoundedness() {
        return source.getBoundedness();
    }

    @Override
    public SourceReader<String, PlaceholderSplit> createReader(SourceReaderContext context)
            throws Exception {
        return new SettlingReader(
                source.createReader(context), getBoundedness() == Boundedness.BOUNDED);
    }

    @Override
    public SplitEnumerator<PlaceholderSplit, EnumeratorState> createEnumerator(
            SplitEnumeratorContext<PlaceholderSplit> context) {
        return source.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<PlaceholderSplit, EnumeratorState> restoreEnumerator(
            SplitEnumeratorContext<PlaceholderSplit> context, EnumeratorState state) {
        return source.restoreEnumerator(context, state);
    }

    @Override
    public SimpleVersionedSerializer<PlaceholderSplit> getSplitSerializer() {
        return source.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
        return source.getEnumeratorCheckpointSerializer();
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }
}
