/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.DeliveryCapThrottlePolicy;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.MessageThrottlePolicy;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.RocketMQThrottleProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcThrottleOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.OutputTag;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Throttles at the end of the job and parks what a safety valve lets through in a side output. The
 * topic and the group are those of {@link ReadAndAckJob}.
 */
@Command(name = "ParkingJob", description = "Throttles, and parks what was deferred too often.")
public final class ParkingJob implements Callable<Integer> {

    /** Messages that were deferred too often. */
    static final OutputTag<AckableMessage<String>> PARKED =
            new OutputTag<>("parked", AckableMessageTypeInfo.of(Types.STRING));

    @Mixin private ExampleOptions options;

    /** Runs the job until it is cancelled. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ParkingJob()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        SingleOutputStreamOperator<String> done =
                build(env, options.endpoints(), options.topic(), options.group());
        done.print();
        done.getSideOutput(PARKED).print("parked");
        env.execute("parking");
        return 0;
    }

    /** Adds the job to the environment; gives the stream of what went on, with its side output. */
    static SingleOutputStreamOperator<String> build(
            StreamExecutionEnvironment env, String endpoints, String topic, String group) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        DataStream<AckableMessage<String>> stream =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "grpc-source");
        MessageThrottlePolicy<String> policy =
                DeliveryCapThrottlePolicy.of(8, Duration.ofSeconds(5));
        Configuration configuration =
                new Configuration().set(RocketMQGrpcThrottleOptions.MAX_DELIVERY_ATTEMPT, 4);

        SingleOutputStreamOperator<String> done =
                stream.keyBy(AckableMessage::getLiteTopic)
                        .process(
                                new RocketMQThrottleProcessFunction<>(policy, configuration)
                                        .parkTo(PARKED))
                        .returns(Types.STRING)
                        .name("throttle");

        return done;
    }
}
