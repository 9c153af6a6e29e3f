/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckOnCheckpointFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Gives plain values to the rest of the job and acknowledges each message when a checkpoint covers
 * what became of its value. The topic and the group are those of {@link ReadAndAckJob}.
 */
@Command(
        name = "AckOnCheckpointJob",
        description = "Counts messages in state; acks with the checkpoints.")
public final class AckOnCheckpointJob implements Callable<Integer> {

    @Mixin private ExampleOptions options;

    /** Runs the job until it is cancelled. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new AckOnCheckpointJob()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        build(env, options.endpoints(), options.topic(), options.group())
                .map(value -> 1)
                .keyBy(one -> one)
                .reduce(Integer::sum)
                .name("count")
                .print();
        env.execute("ack-on-checkpoint");
        return 0;
    }

    /** Adds the reading half of the job; gives the stream of values. */
    static DataStream<String> build(
            StreamExecutionEnvironment env, String endpoints, String topic, String group) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setInvisibleDuration(Duration.ofSeconds(30))
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        env.enableCheckpointing(10_000);

        DataStream<String> values =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "grpc-source")
                        .keyBy(AckableMessage::getLiteTopic)
                        .process(new RocketMQAckOnCheckpointFunction<String>())
                        .returns(Types.STRING)
                        .name("ack-on-checkpoint");
        return values;
    }
}
