/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Pace;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * A running job whose downstream, in the task of the source, works at the pace of the test: notes a
 * message when it gets it, waits for its turn, acks. Closing it cancels it.
 */
final class PacedJob implements AutoCloseable {

    private static final long LIMIT_SECONDS = 60;

    private final Seen<Got> seen = new Seen<>();
    private final Pace pace = new Pace();
    private final RocketMQGrpcSourceBuilder<String> source;
    private final Configuration job = new Configuration();
    private int parallelism = 1;
    private JobClient client;

    private PacedJob(Configuration options) {
        source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(options)
                        .setValueOnlyDeserializer(new SimpleStringSchema());
        job.setString("restart-strategy.type", "fixed-delay");
        job.setString("restart-strategy.fixed-delay.attempts", "1");
        job.setString("restart-strategy.fixed-delay.delay", "100 ms");
    }

    static PacedJob on(LiteTopicFixture fixture) {
        return new PacedJob(fixture.sourceOptions());
    }

    RocketMQGrpcSourceBuilder<String> source() {
        return source;
    }

    Pace pace() {
        return pace;
    }

    PacedJob parallelism(int subtasks) {
        parallelism = subtasks;
        return this;
    }

    PacedJob start() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(job);
        env.setParallelism(parallelism);
        env.fromSource(source.build(), WatermarkStrategy.noWatermarks(), "source")
                .uid("source")
                .process(new NoteWaitAck(seen, pace))
                .uid("work")
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        client = env.executeAsync();
        return this;
    }

    /** Everything that reached the downstream so far, in order. */
    List<Got> got() {
        return seen.items();
    }

    Set<String> values() {
        return got().stream().map(g -> g.value).collect(Collectors.toSet());
    }

    List<Got> gotOf(Predicate<String> values) {
        return got().stream().filter(g -> values.test(g.value)).collect(Collectors.toList());
    }

    void cancel() throws Exception {
        client.cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        awaitEnd();
    }

    void stopWithSavepoint(String directory) throws Exception {
        client.stopWithSavepoint(false, directory, SavepointFormatType.CANONICAL)
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
        awaitEnd();
    }

    private void awaitEnd() throws Exception {
        while (!isOver()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean isOver() throws Exception {
        return client.getJobStatus().get(LIMIT_SECONDS, TimeUnit.SECONDS).isGloballyTerminalState();
    }

    @Override
    public void close() throws Exception {
        if (client != null && !isOver()) {
            cancel();
        }
        pace.close();
        seen.close();
    }

    /** One message that reached the downstream. */
    static final class Got implements Serializable {
        private static final long serialVersionUID = 1L;
        final String value;
        final String liteTopic;
        final int attempt;
        final long nanoTime = System.nanoTime();

        private Got(AckableMessage<String> message) {
            this.value = message.getValue();
            this.liteTopic = message.getLiteTopic();
            this.attempt = message.getReceiptHandle().getDeliveryAttempt();
        }

        Duration since(long begun) {
            return Duration.ofNanos(nanoTime - begun);
        }
    }

    /** Notes, waits, acks. */
    private static final class NoteWaitAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<Got> seen;
        private final Pace pace;

        private NoteWaitAck(Seen<Got> seen, Pace pace) {
            this.seen = seen;
            this.pace = pace;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws InterruptedException {
            seen.add(new Got(message));
            pace.pass();
            ack(message);
        }
    }
}
