/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.devcluster.LiteOffsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The whole way of a message: source, keyBy, acknowledging function, broker. */
@Timeout(180)
class EndToEndITCase {

    private static final int LITE_TOPICS = 500;
    private static final int PER_LITE_TOPIC = 10;
    private static final int ALL = LITE_TOPICS * PER_LITE_TOPIC;
    private static final Duration INVISIBLE = Duration.ofSeconds(10);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(2)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void fiveThousandMessagesOverFiveHundredLiteTopicsAreProcessedOnceAndAcked() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                Seen<String> seen = new Seen<>()) {
            JobClient job = start(fixture, seen);
            try {
                fixture.sendRounds(LITE_TOPICS, PER_LITE_TOPIC);

                await().atMost(Duration.ofSeconds(90)).until(() -> seen.distinct() == ALL);
                await().atMost(Duration.ofSeconds(20)).until(() -> fixture.backlog() == 0);
                assertThat(fixture.stored()).isEqualTo(ALL);
                assertThat(fixture.offsets())
                        .hasSize(LITE_TOPICS)
                        .allSatisfy((liteTopic, offsets) -> allCommitted(offsets));

                // Whatever was not acked would be back after its invisible duration.
                await().during(INVISIBLE.plusSeconds(2))
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> seen.size() == ALL);
            } finally {
                job.cancel().get(30, TimeUnit.SECONDS);
            }
        }
    }

    // case 35
    @Test
    void liteTopicsThatAppearWhileTheJobRunsAreReadWithinTenSecondsAndSoIsTheirBacklogInTheEnd()
            throws Exception {
        int liteTopics = 200;
        int backlog = 5;
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                Seen<String> seen = new Seen<>()) {
            JobClient job = start(fixture, seen);
            try {
                fixture.send("before", "before#0");
                await().atMost(Duration.ofSeconds(60)).until(() -> seen.distinct() == 1);

                fixture.sendRounds(liteTopics, 1);
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(seen.items()).hasSize(1 + liteTopics));

                // Behind one another in each lite topic, acked while polls are under way: 5.5.0 may
                // drop the event of a lite topic that an ack unblocks during a poll, which then
                // waits for the next event of it.
                fixture.sendRounds(liteTopics, backlog);
                int all = 1 + liteTopics * (1 + backlog);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> fixture.stored() == all && fixture.backlog() == 0);
                assertThat(seen.distinct()).isEqualTo(1 + liteTopics * backlog);
            } finally {
                job.cancel().get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static JobClient start(LiteTopicFixture fixture, Seen<String> seen) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(2);
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(fixture.endpoints())
                        .setConsumerGroup(fixture.group())
                        .setMainTopic(fixture.topic())
                        .setInvisibleDuration(INVISIBLE)
                        .setFetchConcurrency(4)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "source")
                .keyBy(AckableMessage::getLiteTopic)
                .process(new NoteAndAck(seen))
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    private static void allCommitted(LiteOffsets offsets) {
        assertThat(offsets.max()).isEqualTo(PER_LITE_TOPIC);
        assertThat(offsets.committed()).isEqualTo(PER_LITE_TOPIC);
    }

    /** Notes the value, acks the message. */
    private static final class NoteAndAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<String> seen;

        NoteAndAck(Seen<String> seen) {
            this.seen = seen;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            seen.add(message.getValue());
            ack(message);
            out.collect(message.getValue());
        }
    }
}
