/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQKeyedAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * Numbers the messages of each lite topic with keyed state, and parks what cannot be worked on in a
 * side output. The topic and the group are those of {@link ReadAndAckJob}.
 */
@Command(name = "ConversationJob", description = "Keyed state, acks and parked messages.")
public final class ConversationJob implements Callable<Integer> {

    /** Messages that were not worked on. */
    static final OutputTag<AckableMessage<String>> PARKED =
            new OutputTag<>("parked", AckableMessageTypeInfo.of(Types.STRING));

    @Mixin private ExampleOptions options;

    /** Runs the job until it is cancelled. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ConversationJob()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        SingleOutputStreamOperator<String> turns =
                build(env, options.endpoints(), options.topic(), options.group());
        turns.print();
        turns.getSideOutput(PARKED).print("parked");
        env.execute("conversation");
        return 0;
    }

    /** Adds the job to the environment; gives the stream of numbered messages. */
    static SingleOutputStreamOperator<String> build(
            StreamExecutionEnvironment env, String endpoints, String topic, String group) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), "grpc-source")
                .keyBy(AckableMessage::getLiteTopic)
                .process(new NumberTurns())
                .returns(Types.STRING)
                .name("number-and-ack");
    }

    /** One number per message and lite topic. */
    private static final class NumberTurns
            extends RocketMQKeyedAckProcessFunction<String, String, String> {

        private static final long serialVersionUID = 1L;
        private transient ValueState<Integer> turn;

        @Override
        public void open(OpenContext openContext) throws Exception {
            super.open(openContext);
            turn = getRuntimeContext().getState(new ValueStateDescriptor<>("turn", Types.INT));
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            claim(message);
            if (message.getValue().isBlank()) {
                park(message, PARKED, context);
                return;
            }
            int number = turn.value() == null ? 1 : turn.value() + 1;
            out.collect(context.getCurrentKey() + " " + number + ": " + message.getValue());
            turn.update(number);
            ack(message);
        }
    }
}
