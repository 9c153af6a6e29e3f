/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.RocketMQThrottleGate;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.TokenBucketThrottlePolicy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The example jobs build the graphs that the documentation describes. */
class ExampleJobsTest {

    @Test
    void readAndAckJobEndsInTheAck() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();

        DataStream<String> worked =
                ReadAndAckJob.build(env, "127.0.0.1:8081", "LiteMainTopic", "GID-lite");
        worked.print().name("print");

        assertThat(worked.getType()).isEqualTo(Types.STRING);
        assertThat(operators(env))
                .containsExactly("Source: grpc-source", "Map", "ack", "Sink: print");
    }

    @Test
    void throttledJobHasTheGateBeforeTheWork() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();

        DataStream<Integer> worked =
                ThrottledJob.build(
                        env,
                        "127.0.0.1:8081",
                        "LiteMainTopic",
                        "GID-lite",
                        new RocketMQThrottleGate<>(TokenBucketThrottlePolicy.of(10, 32)));
        worked.print().name("print");

        assertThat(worked.getType()).isEqualTo(Types.INT);
        assertThat(operators(env))
                .containsExactly("Source: grpc-source", "gate", "work", "ack", "Sink: print");
    }

    @Test
    void ackOnCheckpointJobTurnsMessagesIntoPlainValuesAndHasCheckpoints() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();

        DataStream<String> values =
                AckOnCheckpointJob.build(env, "127.0.0.1:8081", "LiteMainTopic", "GID-lite");
        values.print().name("print");

        assertThat(values.getType()).isEqualTo(Types.STRING);
        assertThat(env.getCheckpointInterval()).isEqualTo(10_000);
        assertThat(operators(env))
                .containsExactly("Source: grpc-source", "ack-on-checkpoint", "Sink: print");
    }

    @Test
    void conversationJobHasASideOutputOfParkedMessages() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();

        SingleOutputStreamOperator<String> turns =
                ConversationJob.build(env, "127.0.0.1:8081", "LiteMainTopic", "GID-lite");
        turns.print().name("print");
        turns.getSideOutput(ConversationJob.PARKED).print().name("parked");

        assertThat(operators(env))
                .containsExactly(
                        "Source: grpc-source", "number-and-ack", "Sink: print", "Sink: parked");
    }

    @Test
    void credentialsJobEndsInTheAck() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();

        DataStream<String> acked =
                CredentialsJob.build(
                        env, "127.0.0.1:8081", "LiteMainTopic", "GID-lite", "/run/secrets/mq");
        acked.print().name("print");

        assertThat(acked.getType()).isEqualTo(Types.STRING);
        assertThat(operators(env)).containsExactly("Source: grpc-source", "ack", "Sink: print");
    }

    @Test
    void parkingJobHasASideOutputOfWhatWasDeferredTooOften() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();

        SingleOutputStreamOperator<String> done =
                ParkingJob.build(env, "127.0.0.1:8081", "LiteMainTopic", "GID-lite");
        done.print().name("print");
        done.getSideOutput(ParkingJob.PARKED).print().name("parked");

        assertThat(operators(env))
                .containsExactly("Source: grpc-source", "throttle", "Sink: print", "Sink: parked");
    }

    @Test
    void wrongOptionIsOneErrorAndExitCodeTwo() {
        StringWriter errors = new StringWriter();
        CommandLine command =
                new CommandLine(new ThrottledJob()).setErr(new PrintWriter(errors, true));

        int exitCode = command.execute("--rate", "fast");

        assertThat(exitCode).isEqualTo(2);
        assertThat(errors.toString()).contains("Invalid value for option '--rate'", "fast");
    }

    private static List<String> operators(StreamExecutionEnvironment env) {
        return env.getStreamGraph().getStreamNodes().stream()
                .sorted((a, b) -> Integer.compare(a.getId(), b.getId()))
                .map(StreamNode::getOperatorName)
                .collect(Collectors.toList());
    }
}
