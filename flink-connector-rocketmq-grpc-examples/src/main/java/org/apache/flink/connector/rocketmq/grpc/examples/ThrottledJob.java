/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.RocketMQThrottleGate;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.TokenBucketThrottlePolicy;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Slows down the lite topics that send more than their share, before the work: the gate admits a
 * message or defers its lite topic at the broker, and the last operator acknowledges what was
 * worked on. All others keep flowing.
 *
 * <p>The topic and the group it needs:
 *
 * <pre>
 * mqadmin updateTopic    -n NAMESRV -c CLUSTER -t LiteMainTopic -a "+message.type=LITE"
 * mqadmin updateSubGroup -n NAMESRV -c CLUSTER -g GID-lite -r 1000000 \
 *     --attributes "+lite.bind.topic=LiteMainTopic,+lite.sub.wildcard=true,+lite.sub.client.max.event.cnt=10000"
 * </pre>
 */
@Command(
        name = "ThrottledJob",
        description = "Works on so many messages per lite topic and second.")
public final class ThrottledJob implements Callable<Integer> {

    @Mixin private ExampleOptions options;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10",
            description = "Messages per second and lite topic (default: 10).")
    private double rate;

    @Option(
            names = "--burst",
            paramLabel = "N",
            defaultValue = "32",
            description = "Messages of a lite topic at once after a quiet time (default: 32).")
    private int burst;

    /** Runs the job until it is cancelled. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ThrottledJob()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        RocketMQThrottleGate<String> gate =
                new RocketMQThrottleGate<>(TokenBucketThrottlePolicy.of(rate, burst));
        build(env, options.endpoints(), options.topic(), options.group(), gate).print();
        env.execute("throttled");
        return 0;
    }

    /** Adds the job to the environment; gives the stream of what was worked on and acked. */
    static DataStream<Integer> build(
            StreamExecutionEnvironment env,
            String endpoints,
            String topic,
            String group,
            RocketMQThrottleGate<String> gate) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        DataStream<AckableMessage<String>> stream =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "grpc-source");
        return stream.keyBy(AckableMessage::getLiteTopic)
                .process(gate)
                .returns(AckableMessageTypeInfo.of(Types.STRING))
                .name("gate")
                .map(message -> message.withValue(message.getValue().length()))
                .returns(AckableMessageTypeInfo.of(Types.INT))
                .name("work")
                .process(new AckWhenDone())
                .name("ack");
    }

    /** Acknowledges what comes out of the work. */
    private static final class AckWhenDone extends RocketMQAckProcessFunction<Integer, Integer> {

        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                AckableMessage<Integer> message, Context context, Collector<Integer> out)
                throws Exception {
            ack(message);
            out.collect(message.getValue());
        }
    }
}
