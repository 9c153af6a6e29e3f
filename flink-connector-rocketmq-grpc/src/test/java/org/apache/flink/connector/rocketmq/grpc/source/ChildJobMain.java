/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * Reads, prints lite topic and first line of each value when it reaches the downstream, waits for a
 * line on its input the first time, acks. The arguments are options of the source.
 */
final class ChildJobMain {

    private static final CountDownLatch OPEN = new CountDownLatch(1);

    private ChildJobMain() {}

    public static void main(String[] args) throws Exception {
        Configuration options = new Configuration();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            options.setString(arg.substring(0, equals), arg.substring(equals + 1));
        }
        Thread waiting = new Thread(ChildJobMain::openOnInput, "input");
        waiting.setDaemon(true);
        waiting.start();
        Configuration cluster = new Configuration();
        cluster.setString("taskmanager.memory.managed.size", "1 mb");
        cluster.setString("taskmanager.memory.network.min", "16 mb");
        cluster.setString("taskmanager.memory.network.max", "16 mb");
        cluster.setString("rest.port", "0");
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, cluster);
        env.fromSource(
                        RocketMQGrpcSource.<String>builder()
                                .setConfiguration(options)
                                .setValueOnlyDeserializer(new FirstLine())
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "source")
                .process(new PrintWaitAck())
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        env.execute();
    }

    private static void openOnInput() {
        try {
            if (System.in.read() >= 0) {
                OPEN.countDown();
            }
        } catch (IOException e) {
            System.out.println("no input: " + e);
        }
    }

    /** The body up to its first line break, so that a large body is not kept as a value. */
    private static final class FirstLine extends SimpleStringSchema {
        private static final long serialVersionUID = 1L;

        @Override
        public String deserialize(byte[] body) {
            int end = 0;
            while (end < body.length && body[end] != '\n') {
                end++;
            }
            return new String(body, 0, end, StandardCharsets.UTF_8);
        }
    }

    /** The downstream. */
    private static final class PrintWaitAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws InterruptedException {
            System.out.println("got " + message.getLiteTopic() + " " + message.getValue());
            OPEN.await();
            ack(message);
        }
    }
}
