/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.MessageThrottlePolicy;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.RocketMQThrottleGate;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The job of the demo: source, keyed by lite topic: gate, work, ack. */
final class DemoJob {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final int FETCH_CONCURRENCY = 2;

    private DemoJob() {}

    /**
     * Builds the job.
     *
     * @param probeName of the open {@link DemoProbe} it reports to
     * @param policy of the gate
     */
    static StreamExecutionEnvironment build(
            String endpoints,
            String topic,
            String group,
            String probeName,
            MessageThrottlePolicy<DemoMessage> policy) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment();
        env.setParallelism(DemoPlan.PARALLELISM);
        // Records leave at once: the comparison is about queues, not about Flink's buffers.
        env.setBufferTimeout(0);
        TypeInformation<AckableMessage<DemoMessage>> type =
                AckableMessageTypeInfo.of(TypeInformation.of(DemoMessage.class));
        RocketMQGrpcSource<DemoMessage> source =
                RocketMQGrpcSource.<DemoMessage>builder()
                        .setEndpoints(endpoints)
                        .setConsumerGroup(group)
                        .setMainTopic(topic)
                        .setFetchConcurrency(FETCH_CONCURRENCY)
                        .setValueOnlyDeserializer(new DemoMessageSchema())
                        .build();
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "source")
                .map(new DemoArrival(probeName))
                .returns(type)
                .keyBy(AckableMessage::getLiteTopic)
                .process(new RocketMQThrottleGate<>(policy, ackOptions()))
                .name("gate")
                .returns(type)
                .process(new DemoWork(probeName, DemoPlan.WORK))
                .name("work")
                .returns(type)
                .process(new DemoAck(probeName, ackOptions()))
                .name("ack");
        return env;
    }

    /** A phase that drained has nothing to wait for, and an interrupted one should end soon. */
    private static Configuration ackOptions() {
        Configuration options = new Configuration();
        options.set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, CLOSE_TIMEOUT);
        return options;
    }
}
