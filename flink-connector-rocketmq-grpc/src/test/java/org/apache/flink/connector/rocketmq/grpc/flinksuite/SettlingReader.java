/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.flinksuite;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQLiteAckClient;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * The reader of a {@link SettlingSource}: everything is the real reader's, except the acks. Belongs
 * to the task thread.
 */
final class SettlingReader implements SourceReader<String, PlaceholderSplit> {

    private static final Duration CLOSING = Duration.ofSeconds(5);

    private final SourceReader<AckableMessage<String>, PlaceholderSplit> reader;
    private final RocketMQLiteAckClient client =
            RocketMQLiteAckClient.acquire(AckConfig.from(new Configuration()));
    private final boolean acksAtOnce;
    private final NavigableMap<Long, List<RocketMQReceiptHandle>> covered = new TreeMap<>();
    private List<RocketMQReceiptHandle> given = new ArrayList<>();

    SettlingReader(
            SourceReader<AckableMessage<String>, PlaceholderSplit> reader, boolean acksAtOnce) {
        this.reader = reader;
        this.acksAtOnce = acksAtOnce;
    }

    @Override
    public void start() {
        reader.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) throws Exception {
        return reader.pollNext(new Values(output));
    }

    @Override
    public List<PlaceholderSplit> snapshotState(long checkpointId) {
        covered.put(checkpointId, given);
        given = new ArrayList<>();
        return reader.snapshotState(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
        NavigableMap<Long, List<RocketMQReceiptHandle>> complete =
                covered.headMap(checkpointId, true);
        complete.values().forEach(handles -> handles.forEach(client::ack));
        complete.clear();
        reader.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
        reader.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return reader.isAvailable();
    }

    @Override
    public void addSplits(List<PlaceholderSplit> splits) {
        reader.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
        reader.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
        reader.handleSourceEvents(event);
    }

    @Override
    public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
        reader.pauseOrResumeSplits(toPause, toResume);
    }

    @Override
    public void close() throws Exception {
        try (reader) {
            client.drain(CLOSING);
        } finally {
            client.release();
        }
    }

    private void note(AckableMessage<String> message) {
        if (acksAtOnce) {
            client.ack(message.getReceiptHandle());
        } else {
            given.add(message.getReceiptHandle());
        }
    }

    /** Takes the handles off the records. */
    private class Value implements SourceOutput<AckableMessage<String>> {
        private final SourceOutput<String> output;

        private Value(SourceOutput<String> output) {
            this.output = output;
        }

        @Override
        public void collect(AckableMessage<String> message) {
            output.collect(message.getValue());
            note(message);
        }

        @Override
        public void collect(AckableMessage<String> message, long timestamp) {
            output.collect(message.getValue(), timestamp);
            note(message);
        }

        @Override
        public void emitWatermark(Watermark watermark) {
            output.emitWatermark(watermark);
        }

        @Override
        public void markIdle() {
            output.markIdle();
        }

        @Override
        public void markActive() {
            output.markActive();
        }
    }

    /** The same with the outputs of the splits. */
    private final class Values extends Value implements ReaderOutput<AckableMessage<String>> {
        private final ReaderOutput<String> output;

        private Values(ReaderOutput<String> output) {
            super(output);
            this.output = output;
        }

        @Override
        public SourceOutput<AckableMessage<String>> createOutputForSplit(String splitId) {
            return new Value(output.createOutputForSplit(splitId));
        }

        @Override
        public void releaseOutputForSplit(String splitId) {
            output.releaseOutputForSplit(splitId);
        }
    }
}
