/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Reads every lite topic of a main topic, works on the messages, acknowledges each when its work is
 * done. What is not acknowledged comes back.
 *
 * <p>The topic and the group it needs:
 *
 * <pre>
 * mqadmin updateTopic    -n NAMESRV -c CLUSTER -t LiteMainTopic -a "+message.type=LITE"
 * mqadmin updateSubGroup -n NAMESRV -c CLUSTER -g GID-lite -r 1000000 \
 *     --attributes "+lite.bind.topic=LiteMainTopic,+lite.sub.wildcard=true,+lite.sub.client.max.event.cnt=10000"
 * </pre>
 */
@Command(name = "ReadAndAckJob", description = "Reads all lite topics of a topic and acks.")
public final class ReadAndAckJob implements Callable<Integer> {

    @Mixin private ExampleOptions options;

    /** Runs the job until it is cancelled. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ReadAndAckJob()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        build(env, options.endpoints(), options.topic(), options.group()).print();
        env.execute("read-and-ack");
        return 0;
    }

    /** Adds the job to the environment; gives the stream of what was worked on and acked. */
    static DataStream<String> build(
            StreamExecutionEnvironment env, String endpoints, String topic, String group) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setFetchConcurrency(4)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        DataStream<AckableMessage<String>> stream =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "grpc-source");
        DataStream<String> worked =
                stream.map(message -> message.withValue(message.getValue().trim()))
                        .returns(AckableMessageTypeInfo.of(Types.STRING))
                        .keyBy(AckableMessage::getLiteTopic)
                        .process(new AckWhenDone())
                        .name("ack");
        return worked;
    }

    /** Emits the value, then acknowledges the message. */
    private static final class AckWhenDone extends RocketMQAckProcessFunction<String, String> {

        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            out.collect(message.getLiteTopic() + ": " + message.getValue());
            ack(message);
        }
    }
}
