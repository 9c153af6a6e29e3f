/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an acknowledging function knows of its task, in a running one. */
@Timeout(180)
class TaskWatchTest {

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static final AtomicLong CLOSED_AT = new AtomicLong();
    private static final AtomicInteger SEEN = new AtomicInteger();
    private static volatile ScriptedAcknowledger server;
    private static final AckCorePool POOL =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> server,
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));

    @BeforeEach
    void reset() {
        server = new ScriptedAcknowledger();
        CLOSED_AT.set(0);
        SEEN.set(0);
    }

    @Test
    void anIdleTaskFailsWithinASecondOfAFatalAnswer() throws Exception {
        failsWithinASecond(false);
    }

    @Test
    void anIdleKeyedTaskFailsWithinASecondOfAFatalAnswer() throws Exception {
        failsWithinASecond(true);
    }

    private static void failsWithinASecond(boolean keyed) throws Exception {
        server.answerByHand();
        JobClient job = start(Long.MAX_VALUE, 0, keyed);
        await().atMost(Duration.ofSeconds(60)).until(() -> server.ackRequests() == 1);

        long answeredAt = System.nanoTime();
        server.acks
                .get(0)
                .future
                .completeExceptionally(ScriptedAcknowledger.error(ErrorKind.FATAL, "UNAUTHORIZED"));

        assertThatThrownBy(() -> job.getJobExecutionResult().get(60, TimeUnit.SECONDS))
                .hasStackTraceContaining("lite topic lite, message m0, code UNAUTHORIZED");
        assertThat(Duration.ofNanos(CLOSED_AT.get() - answeredAt))
                .isBetween(Duration.ZERO, Duration.ofSeconds(1));
        assertThat(POOL.size()).isZero();
    }

    @Test
    void atTheEndOfItsInputATaskSendsTheAcksThatWaitBehindAGap() throws Exception {
        start(1, 5, false).getJobExecutionResult().get(60, TimeUnit.SECONDS);

        assertThat(server.ackedIds()).containsExactly("m5");
        assertThat(server.changes).isEmpty();
        assertThat(POOL.size()).isZero();
    }

    @Test
    void aCancelledTaskReleasesTheDeliveryOfAnAckBehindAGapAndDoesNotSendIt() throws Exception {
        JobClient job = start(Long.MAX_VALUE, 5, true);
        await().atMost(Duration.ofSeconds(60)).until(() -> SEEN.get() == 1);
        job.cancel().get(60, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(60)).until(() -> POOL.size() == 0);

        assertThat(server.ackedIds()).isEmpty();
        assertThat(server.changes).hasSize(1);
        assertThat(server.changes.get(0).entry.messageId()).isEqualTo("m5");
        assertThat(server.changes.get(0).duration).isZero();
        assertThat(server.changes.get(0).suspend).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "STREAMING, execution.checkpointing.interval is not set",
        "BATCH, execution.runtime-mode is BATCH",
        "AUTOMATIC, execution.runtime-mode is BATCH"
    })
    void aJobWithoutCheckpointsCannotAckOnThem(RuntimeExecutionMode mode, String why)
            throws Exception {
        StreamExecutionEnvironment env = environment();
        env.setRuntimeMode(mode);
        messages(env, 1, 0)
                .process(new RocketMQAckOnCheckpointFunction<Long>())
                .returns(Types.LONG)
                .sinkTo(new DiscardingSink<>());
        JobClient job = env.executeAsync();

        assertThatThrownBy(() -> job.getJobExecutionResult().get(60, TimeUnit.SECONDS))
                .hasStackTraceContaining(why);
    }

    /** Numbers keep coming into the chain, but only the first one reaches the function. */
    private static JobClient start(long numbers, int index, boolean keyed) throws Exception {
        StreamExecutionEnvironment env = environment();
        SingleOutputStreamOperator<AckableMessage<Long>> messages = messages(env, numbers, index);
        (keyed
                        ? messages.keyBy(AckableMessage::getLiteTopic).process(new KeyedAckOnly())
                        : messages.process(new AckOnly()))
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    private static StreamExecutionEnvironment environment() {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(
                        new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none"));
        env.setParallelism(1);
        return env;
    }

    private static SingleOutputStreamOperator<AckableMessage<Long>> messages(
            StreamExecutionEnvironment env, long numbers, int index) {
        return env.fromSource(
                        new DataGeneratorSource<>(
                                number -> number,
                                numbers,
                                RateLimiterStrategy.perSecond(5),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .filter(number -> number == 0)
                .map(number -> new AckableMessage<>(number, handle(index)))
                .returns(AckableMessageTypeInfo.of(Types.LONG));
    }

    private static RocketMQReceiptHandle handle(int index) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", "lite", "m" + index)
                .receipt("r", System.currentTimeMillis() + 60_000)
                .delivery("broker-a", 1, 1)
                .place(index, false)
                .build();
    }

    /** Acks and tells when it was closed. */
    private static final class AckOnly extends RocketMQAckProcessFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            return RocketMQLiteAckClient.acquire(POOL, config);
        }

        @Override
        public void processElement(
                AckableMessage<Long> message, Context context, Collector<Long> out) {
            assertThat(ack(message)).isNotNull();
            SEEN.incrementAndGet();
        }

        @Override
        public void close() throws Exception {
            CLOSED_AT.compareAndSet(0, System.nanoTime());
            super.close();
        }
    }

    /** Likewise, on a keyed stream. */
    private static final class KeyedAckOnly
            extends RocketMQKeyedAckProcessFunction<String, Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        RocketMQLiteAckClient acquireClient(AckConfig config) {
            return RocketMQLiteAckClient.acquire(POOL, config);
        }

        @Override
        public void processElement(
                AckableMessage<Long> message, Context context, Collector<Long> out) {
            assertThat(ack(message)).isNotNull();
            SEEN.incrementAndGet();
        }

        @Override
        public void close() throws Exception {
            CLOSED_AT.compareAndSet(0, System.nanoTime());
            super.close();
        }
    }
}
