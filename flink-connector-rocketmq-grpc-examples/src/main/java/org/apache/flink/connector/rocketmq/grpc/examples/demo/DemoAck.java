/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.AckOutcome;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.util.Collector;

/** The end of the pipeline: acknowledges what was worked on, and counts how that went. */
final class DemoAck extends RocketMQAckProcessFunction<DemoMessage, Void> {

    private static final long serialVersionUID = 1L;

    private final String probeName;
    private transient DemoProbe probe;

    DemoAck(String probeName, Configuration configuration) {
        super(configuration);
        this.probeName = probeName;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        super.open(context);
        probe = DemoProbe.of(probeName);
    }

    @Override
    public void processElement(
            AckableMessage<DemoMessage> message, Context context, Collector<Void> out)
            throws Exception {
        // A fatal failure of the ack fails the task by itself; only outcomes are counted here.
        ack(message)
                .thenAccept(
                        outcome -> {
                            if (outcome == AckOutcome.SETTLED) {
                                probe.acked();
                            } else {
                                probe.unsettled();
                            }
                        });
    }
}
