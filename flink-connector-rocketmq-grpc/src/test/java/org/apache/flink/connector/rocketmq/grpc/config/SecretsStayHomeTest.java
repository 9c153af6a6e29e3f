/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.jsonplan.JsonPlanGenerator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in a job graph, and what is shown of it. */
class SecretsStayHomeTest {

    private static final String SECRET = "Qk7-unique-secret";
    private static final String ACCESS = "Qk7-unique-access";

    @TempDir private Path directory;

    // case 58
    @Test
    void withAResolverTheSerializedJobGraphHoldsNeitherSecretNorAccessKey() throws Exception {
        Files.write(directory.resolve("access-key"), ACCESS.getBytes(StandardCharsets.UTF_8));
        Files.write(directory.resolve("secret-key"), SECRET.getBytes(StandardCharsets.UTF_8));
        Configuration options = new Configuration();
        options.set(
                RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS,
                FileCredentialsResolver.class.getName());
        options.set(RocketMQGrpcClientOptions.CREDENTIALS_DIRECTORY, directory.toString());

        String graph = serialized(graph(options));

        assertThat(graph).contains(FileCredentialsResolver.class.getName());
        assertThat(graph).doesNotContain(SECRET, ACCESS);
    }

    @Test
    void keysOfTheConfigurationTravelButArePrintedNowhere() throws Exception {
        Configuration options = new Configuration();
        options.set(RocketMQGrpcClientOptions.ACCESS_KEY, ACCESS);
        options.set(RocketMQGrpcClientOptions.SECRET_KEY, SECRET);

        JobGraph graph = graph(options);

        assertThat(serialized(graph)).contains(SECRET);
        assertThat(serialized(JsonPlanGenerator.generatePlan(graph)))
                .doesNotContain(SECRET, ACCESS);
        assertThat(graph.toString()).doesNotContain(SECRET, ACCESS);
        assertThat(source(options).toString()).doesNotContain(SECRET, ACCESS);
    }

    private static JobGraph graph(Configuration options) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.fromSource(source(options), WatermarkStrategy.noWatermarks(), "source")
                .process(new Acks(options))
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.getStreamGraph().getJobGraph();
    }

    private static RocketMQGrpcSource<String> source(Configuration options) {
        return RocketMQGrpcSource.<String>builder()
                .setConfiguration(options)
                .setEndpoints("host:1")
                .setMainTopic("topic")
                .setConsumerGroup("group")
                .setValueOnlyDeserializer(new SimpleStringSchema())
                .build();
    }

    private static String serialized(Serializable graph) throws Exception {
        return new String(InstantiationUtil.serializeObject(graph), StandardCharsets.ISO_8859_1);
    }

    /** Acks what comes. */
    private static final class Acks extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;

        Acks(Configuration options) {
            super(options);
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            ack(message);
        }
    }
}
