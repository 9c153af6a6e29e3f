/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples;

import java.util.concurrent.Callable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.config.FileCredentialsResolver;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Reads from a cluster with access control and acknowledges there. The keys are in files on the
 * TaskManagers and in no job graph. The topic and the group are those of {@link ReadAndAckJob}.
 */
@Command(name = "CredentialsJob", description = "Reads and acks with keys from mounted files.")
public final class CredentialsJob implements Callable<Integer> {

    @Mixin private ExampleOptions options;

    @Option(
            names = "--credentials",
            paramLabel = "DIR",
            defaultValue = "/etc/rocketmq/credentials",
            description = "Directory of the keys (default: /etc/rocketmq/credentials).")
    private String directory;

    /** Runs the job until it is cancelled. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new CredentialsJob()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        build(env, options.endpoints(), options.topic(), options.group(), directory).print();
        env.execute("credentials");
        return 0;
    }

    /** Adds the job to the environment; gives the stream of what was acked. */
    static DataStream<String> build(
            StreamExecutionEnvironment env,
            String endpoints,
            String topic,
            String group,
            String directory) {
        Configuration credentials = new Configuration();
        credentials.set(
                RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS,
                FileCredentialsResolver.class.getName());
        credentials.set(RocketMQGrpcClientOptions.CREDENTIALS_DIRECTORY, directory);

        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(credentials)
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        DataStream<String> acked =
                env.fromSource(source, WatermarkStrategy.noWatermarks(), "grpc-source")
                        .keyBy(AckableMessage::getLiteTopic)
                        .process(new AckWhenDone(credentials))
                        .name("ack");

        return acked;
    }

    /** Emits the value, then acknowledges the message with the same credentials. */
    private static final class AckWhenDone extends RocketMQAckProcessFunction<String, String> {

        private static final long serialVersionUID = 1L;

        AckWhenDone(Configuration configuration) {
            super(configuration);
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out)
                throws Exception {
            out.collect(message.getValue());
            ack(message);
        }
    }
}
