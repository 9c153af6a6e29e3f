/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** Keeps what an emitter emits. */
final class CollectedOutput<T> implements SourceOutput<AckableMessage<T>> {
    private final List<AckableMessage<T>> records = new ArrayList<>();
    private final List<Long> timestamps = new ArrayList<>();

    @Override
    public void collect(AckableMessage<T> record) {
        throw new AssertionError("record without a timestamp: " + record);
    }

    @Override
    public void collect(AckableMessage<T> record, long timestamp) {
        records.add(record);
        timestamps.add(timestamp);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
        throw new AssertionError();
    }

    @Override
    public void markIdle() {
        throw new AssertionError();
    }

    @Override
    public void markActive() {
        throw new AssertionError();
    }

    List<Long> timestamps() {
        return timestamps;
    }

    RocketMQReceiptHandle handle(int record) {
        return records.get(record).getReceiptHandle();
    }

    List<RocketMQReceiptHandle> handles() {
        return records.stream().map(AckableMessage::getReceiptHandle).collect(Collectors.toList());
    }

    List<T> values() {
        return records.stream().map(AckableMessage::getValue).collect(Collectors.toList());
    }

    List<Integer> indexes() {
        return handles().stream()
                .map(RocketMQReceiptHandle::getIndexInDelivery)
                .collect(Collectors.toList());
    }

    List<Boolean> lasts() {
        return handles().stream()
                .map(RocketMQReceiptHandle::isLastInDelivery)
                .collect(Collectors.toList());
    }
}
