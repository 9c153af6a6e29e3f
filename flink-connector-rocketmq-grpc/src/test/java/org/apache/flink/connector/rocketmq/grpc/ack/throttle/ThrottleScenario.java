/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;

/** A topic, a group, a producer and a throttled job of one test against the dev cluster. */
final class ThrottleScenario implements AutoCloseable {

    private static final int MAX_SENDS_IN_FLIGHT = 64;
    private static final Duration CALL = Duration.ofSeconds(30);

    private final DevCluster cluster = DevCluster.shared();
    private final String suffix = UUID.randomUUID().toString().substring(0, 8);
    private final String topic = "throttle-" + suffix;
    private final String group = "GID-throttle-" + suffix;
    private final InMemoryReporter metrics;
    private final LiteProducer producer;
    private final WorkLog work = new WorkLog();
    private final Set<String> liteTopics = ConcurrentHashMap.newKeySet();
    private final Duration invisibleDuration;
    private JobClient job;

    ThrottleScenario(InMemoryReporter metrics) throws Exception {
        this(metrics, Duration.ofSeconds(60));
    }

    ThrottleScenario(InMemoryReporter metrics, Duration invisibleDuration) throws Exception {
        this.invisibleDuration = invisibleDuration;
        this.metrics = metrics;
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        producer =
                LiteProducer.create(
                        LiteClientConfig.builder()
                                .endpoints(Endpoints.parse(cluster.endpoints()))
                                .requestTimeout(CALL)
                                .build(),
                        topic);
        producer.start().get(CALL.toSeconds(), TimeUnit.SECONDS);
    }

    /** What the job worked on. */
    WorkLog work() {
        return work;
    }

    /** Starts source, keyBy, gate, work, ack and waits until a message went through. */
    void startGate(
            StreamExecutionEnvironment env,
            MessageThrottlePolicy<String> policy,
            Configuration configuration)
            throws Exception {
        startGate(env, policy, configuration, configuration, liteTopic -> {});
    }

    /** The same with work that takes time, and with options of its own for what acks. */
    void startGate(
            StreamExecutionEnvironment env,
            MessageThrottlePolicy<String> policy,
            Configuration gateOptions,
            Configuration ackOptions,
            Work work)
            throws Exception {
        messages(env)
                .keyBy(AckableMessage::getLiteTopic)
                .process(new RocketMQThrottleGate<>(policy, gateOptions))
                .name("gate")
                .process(new WorkAndAck(this.work, work, ackOptions))
                .name("work");
        start(env);
    }

    /** Starts source, keyBy, work, throttle function and waits until a message went through. */
    void startFunction(
            StreamExecutionEnvironment env,
            MessageThrottlePolicy<String> policy,
            Configuration configuration)
            throws Exception {
        WorkLog log = work;
        messages(env)
                .keyBy(AckableMessage::getLiteTopic)
                .process(new RocketMQThrottleProcessFunction<>(policy, configuration))
                .name("throttle")
                .map(
                        value -> {
                            log.add(value.substring(0, value.lastIndexOf('-')), value);
                            return value;
                        });
        start(env);
    }

    private DataStream<AckableMessage<String>> messages(StreamExecutionEnvironment env) {
        return env.fromSource(
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(cluster.endpoints())
                        .setMainTopic(topic)
                        .setConsumerGroup(group)
                        .setFetchConcurrency(2)
                        .setInvisibleDuration(invisibleDuration)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build(),
                WatermarkStrategy.noWatermarks(),
                "source");
    }

    private void start(StreamExecutionEnvironment env) throws Exception {
        job = env.executeAsync("throttle " + suffix);
        send("warm-up", 0, 1);
        await().atMost(Duration.ofSeconds(40))
                .until(
                        () -> {
                            assertThat(job.getJobStatus().get().isTerminalState()).isFalse();
                            return work.size() > 0;
                        });
    }

    /** Sends messages named after lite topic and number, one after the other. */
    void send(String liteTopic, int from, int to) throws Exception {
        send(liteTopic, from, to, 1);
    }

    /** Sends many messages at a time; their order is the broker's. */
    void flood(String liteTopic, int count) throws Exception {
        flood(liteTopic, 0, count);
    }

    /** The same, going on from a number. */
    void flood(String liteTopic, int from, int to) throws Exception {
        send(liteTopic, from, to, MAX_SENDS_IN_FLIGHT);
    }

    /** Sends one message without waiting for the answer. */
    CompletableFuture<?> sendAsync(String liteTopic, int number) {
        liteTopics.add(liteTopic);
        byte[] body = (liteTopic + "-" + number).getBytes(StandardCharsets.UTF_8);
        return producer.send(LiteOutgoingMessage.of(liteTopic, body));
    }

    private void send(String liteTopic, int from, int to, int atATime) throws Exception {
        List<CompletableFuture<?>> inFlight = new ArrayList<>();
        for (int number = from; number < to; number++) {
            inFlight.add(sendAsync(liteTopic, number));
            if (inFlight.size() == atATime || number == to - 1) {
                CompletableFuture.allOf(inFlight.toArray(new CompletableFuture<?>[0]))
                        .get(CALL.toSeconds(), TimeUnit.SECONDS);
                inFlight.clear();
            }
        }
    }

    /** What the broker says is not committed yet, over all lite topics that were sent to. */
    long backlog() {
        return cluster.liteOffsets(topic, group, liteTopics).values().stream()
                .mapToLong(offsets -> offsets.backlog())
                .sum();
    }

    /** Sum over the subtasks of a counter or gauge of the operators. */
    long metric(String name) {
        long sum = 0;
        String pattern = ".*" + Pattern.quote(name);
        for (Metric metric : metrics.findMetrics(job.getJobID(), pattern).values()) {
            sum +=
                    metric instanceof Counter
                            ? ((Counter) metric).getCount()
                            : ((Number) ((Gauge<?>) metric).getValue()).longValue();
        }
        return sum;
    }

    /** The job's failure, if any, fails the test; then everything of this test ends. */
    @Override
    public void close() throws Exception {
        try {
            if (job != null) {
                assertThat(job.getJobStatus().get().isTerminalState()).isFalse();
                job.cancel().get(CALL.toSeconds(), TimeUnit.SECONDS);
                await().atMost(CALL).until(() -> job.getJobStatus().get().isTerminalState());
            }
        } finally {
            producer.close();
            work.close();
            cluster.deleteGroup(group);
            cluster.deleteTopic(topic);
        }
    }

    /** What is done with a message before it is acked. */
    @FunctionalInterface
    interface Work extends Serializable {
        void on(String liteTopic);
    }

    /** The work and the ack, in the last operator. */
    private static final class WorkAndAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        private final WorkLog log;
        private final Work work;

        WorkAndAck(WorkLog log, Work work, Configuration configuration) {
            super(configuration);
            this.log = log;
            this.work = work;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            work.on(message.getLiteTopic());
            log.add(message.getLiteTopic(), message.getValue());
            ack(message);
        }
    }
}
