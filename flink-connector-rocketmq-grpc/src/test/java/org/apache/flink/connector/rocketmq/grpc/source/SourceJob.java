/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.testing.Gate;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/** A running job that notes what its source emits. Closing it cancels it. */
final class SourceJob implements AutoCloseable {

    private final Seen<Note> seen = new Seen<>();
    private final RocketMQGrpcSourceBuilder<String> source;
    private final Gate gate = new Gate();
    private final Seen<String> failed = new Seen<>();
    private final Seen<Integer> opened = new Seen<>();
    private final Configuration job = new Configuration();
    private int parallelism = 1;
    private boolean acks = true;
    private boolean keyed;
    private Duration perRecord = Duration.ZERO;
    private JobClient client;

    private SourceJob(Configuration options) {
        source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(options)
                        .setValueOnlyDeserializer(new SimpleStringSchema());
    }

    static SourceJob on(LiteTopicFixture fixture) {
        return new SourceJob(fixture.sourceOptions());
    }

    static SourceJob with(String endpoints, String topic, String group) {
        Configuration options = new Configuration();
        options.setString("rocketmq.client.endpoints", endpoints);
        options.setString("rocketmq.source.main-topic", topic);
        options.setString("rocketmq.source.consumer-group", group);
        return new SourceJob(options);
    }

    RocketMQGrpcSourceBuilder<String> source() {
        return source;
    }

    SourceJob parallelism(int subtasks) {
        parallelism = subtasks;
        return this;
    }

    /** Nobody acks, so every message comes back. */
    SourceJob withoutAcks() {
        acks = false;
        return this;
    }

    /** A shuffle by lite topic between source and function, so that records travel. */
    SourceJob keyed() {
        keyed = true;
        return this;
    }

    /** Every record takes this long. */
    SourceJob slow(Duration each) {
        perRecord = each;
        return this;
    }

    /** Values that begin with {@code fail} and made the function throw, once each. */
    List<String> failed() {
        return failed.items();
    }

    /** Subtask of every start of a function so far. */
    List<Integer> opened() {
        return opened.items();
    }

    /** Stands before every record; shut, it holds up the job. */
    Gate gate() {
        return gate;
    }

    /** Options of the job. */
    Configuration options() {
        return job;
    }

    SourceJob from(String savepoint) {
        job.setString("execution.state-recovery.path", savepoint);
        return this;
    }

    SourceJob start() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(job);
        env.setParallelism(parallelism);
        DataStream<AckableMessage<String>> messages =
                env.fromSource(source.build(), WatermarkStrategy.noWatermarks(), "source")
                        .uid("source");
        (keyed ? messages.keyBy(AckableMessage::getLiteTopic) : messages)
                .process(new NoteAndAck(this))
                .uid("note")
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>())
                .uid("sink");
        client = env.executeAsync();
        return this;
    }

    JobClient client() {
        return client;
    }

    List<Note> notes() {
        return seen.items();
    }

    Set<String> values() {
        return notes().stream().map(n -> n.value).collect(Collectors.toSet());
    }

    long count(String value) {
        return notes().stream().filter(n -> n.value.equals(value)).count();
    }

    /** Cancels and waits for the end. */
    Duration cancel() throws Exception {
        long begun = System.nanoTime();
        client.cancel().get(60, TimeUnit.SECONDS);
        while (!client.getJobStatus().get(30, TimeUnit.SECONDS).isGloballyTerminalState()) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Override
    public void close() throws Exception {
        gate.close();
        if (client != null
                && !client.getJobStatus().get(30, TimeUnit.SECONDS).isGloballyTerminalState()) {
            cancel();
        }
        seen.close();
        failed.close();
        opened.close();
    }

    /** One emitted record. */
    static final class Note implements Serializable {
        private static final long serialVersionUID = 1L;
        final String value;
        final String broker;
        final String liteTopic;
        final int subtask;
        final int attempt;
        final long nanoTime = System.nanoTime();

        private Note(AckableMessage<String> message, int subtask) {
            this.value = message.getValue();
            this.liteTopic = message.getLiteTopic();
            this.broker = message.getReceiptHandle().getBroker();
            this.subtask = subtask;
            this.attempt = message.getReceiptHandle().getDeliveryAttempt();
        }
    }

    /** Notes a record, then acks its message or not. */
    private static final class NoteAndAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<Note> seen;
        private final Seen<String> failed;
        private final Seen<Integer> opened;
        private final Gate gate;
        private final boolean acks;
        private final long millisPerRecord;

        private NoteAndAck(SourceJob job) {
            this.seen = job.seen;
            this.failed = job.failed;
            this.opened = job.opened;
            this.gate = job.gate;
            this.acks = job.acks;
            this.millisPerRecord = job.perRecord.toMillis();
        }

        @Override
        public void open(OpenContext context) throws Exception {
            super.open(context);
            opened.add(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws InterruptedException {
            gate.pass();
            TimeUnit.MILLISECONDS.sleep(millisPerRecord);
            String value = message.getValue();
            if (value.startsWith("fail") && !failed.items().contains(value)) {
                failed.add(value);
                throw new IllegalStateException("asked to: " + value);
            }
            seen.add(new Note(message, getRuntimeContext().getTaskInfo().getIndexOfThisSubtask()));
            if (acks) {
                ack(message);
            }
        }
    }
}
