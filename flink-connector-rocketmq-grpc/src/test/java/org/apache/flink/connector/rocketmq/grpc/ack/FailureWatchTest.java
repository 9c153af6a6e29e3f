/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A failure on a thread of the client fails a running task that gets no input. */
@Timeout(120)
class FailureWatchTest {

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private static final ScriptedAcknowledger SERVER = new ScriptedAcknowledger().answerByHand();
    private static final AtomicLong CLOSED_AT = new AtomicLong();
    private static final AckCorePool POOL =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> SERVER,
                                    new AckTimerThread(),
                                    SequencerLimits.DEFAULT));

    @Test
    void anIdleTaskFailsWithinASecondOfAFatalAnswer() throws Exception {
        JobClient job = startJobOfOneMessage();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> SERVER.ackRequests() == 1);

        long answeredAt = System.nanoTime();
        SERVER.acks
                .get(0)
                .future
                .completeExceptionally(ScriptedAcknowledger.error(ErrorKind.FATAL, "UNAUTHORIZED"));

        assertThatThrownBy(() -> job.getJobExecutionResult().get(60, TimeUnit.SECONDS))
                .hasStackTraceContaining("lite topic lite, message m0, code UNAUTHORIZED");
        assertThat(Duration.ofNanos(CLOSED_AT.get() - answeredAt))
                .isBetween(Duration.ZERO, Duration.ofSeconds(1));
        assertThat(POOL.size()).isZero();
    }

    /** Numbers keep coming into the chain, but only the first one reaches the function. */
    private static JobClient startJobOfOneMessage() throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(
                        new Configuration().set(RestartStrategyOptions.RESTART_STRATEGY, "none"));
        env.setParallelism(1);
        env.fromSource(
                        new DataGeneratorSource<>(
                                number -> number,
                                Long.MAX_VALUE,
                                RateLimiterStrategy.perSecond(5),
                                Types.LONG),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .filter(number -> number == 0)
                .map(number -> new AckableMessage<>(number, firstMessage()))
                .returns(AckableMessageTypeInfo.of(Types.LONG))
                .process(new AckOnly())
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    private static RocketMQReceiptHandle firstMessage() {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", "lite", "m0")
                .receipt("r", System.currentTimeMillis() + 60_000)
                .delivery("broker-a", 1, 1)
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
            CompletableFuture<AckOutcome> ack = ack(message);
            assertThat(ack).isNotNull();
        }

        @Override
        public void close() throws Exception {
            CLOSED_AT.compareAndSet(0, System.nanoTime());
            super.close();
        }
    }
}
