/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;

/** What the source counts. */
class SourceMetricsTest {

    private final EmitterFixture<String> emitting =
            new EmitterFixture<>(
                    SourceConfig.from(
                            Configs.options()
                                    .set(
                                            RocketMQGrpcSourceOptions
                                                    .DESERIALIZATION_FAILURE_POLICY,
                                            DeserializationFailurePolicy.SKIP)),
                    RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema()));
    private final CountedMetrics counted = emitting.counted();

    @Test
    void everyCounterIsExactUnderRedeliveryAndSkipsAndNoSeriesBelongsToALiteTopic()
            throws IOException {
        // case 60
        emitting.emit(Messages.delivery("first", 1));
        Set<String> series = new HashSet<>(counted.all().keySet());
        int bytes = "first-0".length();
        for (int i = 0; i < 10_000; i++) {
            List<LiteMessage> answer = Messages.delivery("lite-" + i, 2);
            if (i % 10 == 0) {
                answer.add(Messages.message("lite-" + i, 2).body(new byte[1], false).build());
            }
            answer.forEach(m -> assertThat(m.topic()).isEqualTo(Messages.TOPIC));
            bytes += answer.stream().mapToInt(m -> m.body().length).sum();
            emitting.emit(answer);
            if (i % 4 == 0) {
                emitting.emit(Messages.delivery("lite-" + i, 1));
                bytes += ("lite-" + i + "-0").length();
            }
        }

        assertThat(counted.count("received")).isEqualTo(1 + 20_000 + 1_000 + 2_500);
        assertThat(counted.count("redelivered")).isEqualTo(2_500);
        assertThat(counted.count("numRecordsInErrors")).isEqualTo(1_000);
        assertThat(counted.count("skipped")).isEqualTo(1_000);
        assertThat(counted.bytesIn()).isEqualTo(bytes);
        assertThat(counted.count("sourceAcks")).isZero();
        assertThat(counted.gauge("queuedMessages")).isZero();
        assertThat(counted.gauge("queuedBytes")).isZero();
        assertThat(emitting.output().values()).hasSize(1 + 20_000 + 2_500);
        assertThat(counted.all().keySet()).isEqualTo(series);
    }

    @Test
    void theOldestWaitIsThatOfTheMessageThatLeavesNext() throws IOException {
        List<QueuedMessage> first = emitting.receive(Messages.delivery("a", 2));
        emitting.clock().advanceTime(Duration.ofSeconds(3));
        List<QueuedMessage> second = emitting.receive(Messages.delivery("b", 1));
        emitting.clock().advanceTime(Duration.ofSeconds(1));
        assertThat(counted.gauge("oldestWaitMillis")).isEqualTo(4_000);
        for (QueuedMessage queued : first) {
            emitting.emitOne(queued);
        }
        assertThat(counted.gauge("oldestWaitMillis")).isEqualTo(1_000);
        emitting.emitOne(second.get(0));

        assertThat(counted.gauge("oldestWaitMillis")).isZero();
    }

    @Test
    void receiveErrorsAreCountedByCodeAndTheCodesAreBounded() {
        CountedMetrics bounded = new CountedMetrics();
        SourceMetrics metrics = new SourceMetrics(bounded.group());
        int before = bounded.all().size();
        metrics.receiveError("UNAVAILABLE", 0);
        metrics.receiveError("UNAVAILABLE", 0);
        for (int i = 0; i < 100; i++) {
            metrics.receiveError("CODE_" + i, 0);
        }

        assertThat(bounded.count("receiveErrors")).isEqualTo(102);
        assertThat(bounded.count("code.UNAVAILABLE.receiveErrorsByCode")).isEqualTo(2);
        assertThat(bounded.count("code.OTHER.receiveErrorsByCode")).isEqualTo(69);
        assertThat(bounded.all().size() - before).isEqualTo(33);
    }

    @Test
    void aConsumerThatIsMadeAnewGoesOnCounting() throws IOException {
        // beside case 60
        emitting.emit(Messages.delivery("a", 2));
        emitting.consumer().changeBrokers("broker-b");
        List<ScriptedConsumer.Poll> open = new ArrayList<>(emitting.consumer().openPolls());
        open.forEach(poll -> poll.answers());
        emitting.consumer().changeBrokers("broker-a");
        emitting.consumer().openPolls("broker-a").get(0).answers(Messages.delivery("a", 2));

        assertThat(counted.count("received")).isEqualTo(4);
        assertThat(counted.count("redelivered")).isEqualTo(2);
    }
}
