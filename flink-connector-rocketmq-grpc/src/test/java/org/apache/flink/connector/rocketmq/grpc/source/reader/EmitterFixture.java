/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/** An emitter behind a session with a scripted consumer, and what it emits. */
final class EmitterFixture<T> {

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final CountedMetrics counted = new CountedMetrics();
    private final ManualClock clock = new ManualClock();
    private final CollectedOutput<T> output = new CollectedOutput<>();
    private final List<Long> busyUntil = new ArrayList<>();
    private final ReceiveSession session;
    private final MessageEmitter<T> emitter;

    EmitterFixture(SourceConfig config, RocketMQDeserializationSchema<T> schema) {
        SourceMetrics metrics = new SourceMetrics(counted.group());
        session =
                new ReceiveSession(
                        config, c -> consumer, Optional.empty(), metrics, new ManualTimer(), clock);
        emitter =
                new MessageEmitter<>(
                        config,
                        new Deserializer<>(config.mainTopic(), schema),
                        new SourceAcker(config, session::ack, busyUntil::add, clock, metrics),
                        session::changeInvisibleDuration,
                        busyUntil::add,
                        metrics,
                        clock);
    }

    ScriptedConsumer consumer() {
        return consumer;
    }

    CountedMetrics counted() {
        return counted;
    }

    ManualClock clock() {
        return clock;
    }

    CollectedOutput<T> output() {
        return output;
    }

    /** Until when the emitter said that messages may come back, in order. */
    List<Long> busyUntil() {
        return busyUntil;
    }

    /** Brings an answer through the session and emits all of it. */
    void emit(List<LiteMessage> answer) throws IOException {
        for (QueuedMessage queued : receive(answer)) {
            emitOne(queued);
        }
    }

    void emitOne(QueuedMessage queued) throws IOException {
        emitter.emitRecord(queued, output, new PlaceholderSplit(0));
    }

    /** Brings an answer through the session, so that the room it takes is counted. */
    List<QueuedMessage> receive(List<LiteMessage> answer) throws IOException {
        if (consumer.polls().isEmpty()) {
            session.start();
            consumer.startSucceeds();
        }
        consumer.openPoll().answers(answer);
        return session.take();
    }
}
