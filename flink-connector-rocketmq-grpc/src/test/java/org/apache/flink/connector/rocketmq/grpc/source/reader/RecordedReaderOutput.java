/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;

/** Keeps what a reader emits. */
final class RecordedReaderOutput<T> implements ReaderOutput<AckableMessage<T>> {

    private final List<AckableMessage<T>> records = new ArrayList<>();

    List<AckableMessage<T>> records() {
        return records;
    }

    List<T> values() {
        return records.stream().map(AckableMessage::getValue).collect(Collectors.toList());
    }

    @Override
    public void collect(AckableMessage<T> record) {
        records.add(record);
    }

    @Override
    public void collect(AckableMessage<T> record, long timestamp) {
        records.add(record);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
        throw new AssertionError("the source makes no watermarks");
    }

    @Override
    public void markIdle() {
        throw new AssertionError("the source decides nothing about idleness");
    }

    @Override
    public void markActive() {
        throw new AssertionError("the source decides nothing about idleness");
    }

    @Override
    public SourceOutput<AckableMessage<T>> createOutputForSplit(String splitId) {
        return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
        throw new AssertionError("the split never ends");
    }
}
