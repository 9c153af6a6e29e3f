/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import java.util.Collections;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Snapshots and notices of checkpoints at any time; the reader has nothing to remember. */
@Timeout(60)
class CheckpointNoticesTest {

    private static final int CHECKPOINTS = 1000;

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final RecordedReaderOutput<String> output = new RecordedReaderOutput<>();
    private final RocketMQSourceReader<String> reader =
            RocketMQSourceReader.create(
                    Configs.config(8, 4),
                    RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema()),
                    config -> consumer,
                    new FakeReaderContext(new Configuration(), new CountedMetrics().group()));

    @AfterEach
    void close() throws Exception {
        reader.close();
    }

    @Test
    void aThousandSnapshotsWhileFourWorkersReceiveAndNoticesOfAnyKindDisturbNothing()
            throws Exception {
        // case 64, the source half
        receiving();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Thread server = new Thread(() -> answerUntil(over, answered), "server");
        server.start();
        try {
            for (int checkpoint = 1;
                    checkpoint <= CHECKPOINTS || answered.get() < 100;
                    checkpoint++) {
                reader.pollNext(output);
                assertThat(reader.snapshotState(checkpoint)).isEmpty();
                if (checkpoint % 3 == 0) {
                    reader.notifyCheckpointAborted(checkpoint);
                } else if (checkpoint % 5 != 0) {
                    reader.notifyCheckpointComplete(checkpoint);
                }
                reader.notifyCheckpointComplete(1_000_000L + checkpoint);
            }
        } finally {
            over.set(true);
            server.join();
        }
        await().pollInSameThread()
                .until(
                        () -> {
                            reader.pollNext(output);
                            return output.values().size() == answered.get();
                        });

        assertThat(output.values()).doesNotHaveDuplicates();
    }

    @Test
    void afterTheCloseASnapshotIsStillEmptyAndANoticeIsIgnored() throws Exception {
        // beside case 64
        receiving();
        reader.close();

        assertThat(reader.snapshotState(1)).isEmpty();
        assertThatCode(() -> reader.notifyCheckpointComplete(1)).doesNotThrowAnyException();
        assertThatCode(() -> reader.notifyCheckpointAborted(2)).doesNotThrowAnyException();
    }

    private void answerUntil(AtomicBoolean over, AtomicInteger answered) {
        while (!over.get()) {
            for (ScriptedConsumer.Poll poll : consumer.openPolls()) {
                int id = answered.incrementAndGet();
                poll.answers(Messages.delivery("lite-" + id, 1));
            }
            Thread.onSpinWait();
        }
    }

    private void receiving() throws Exception {
        reader.start();
        reader.addSplits(Collections.singletonList(new PlaceholderSplit(0)));
        consumer.startSucceeds();
        await().until(
                        () -> {
                            consumer.changeBrokers("broker-a");
                            return consumer.openPolls().size() == 4;
                        });
    }
}
