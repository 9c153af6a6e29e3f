/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * The limited capacity: every message occupies the subtask for the same time, as a call to a model
 * or a database would. A greeting takes no time, and nothing does while the phase drains.
 */
final class DemoWork
        extends ProcessFunction<AckableMessage<DemoMessage>, AckableMessage<DemoMessage>> {

    private static final long serialVersionUID = 1L;

    private final String probeName;
    private final Duration perMessage;
    private transient DemoProbe probe;

    DemoWork(String probeName, Duration perMessage) {
        this.probeName = probeName;
        this.perMessage = perMessage;
    }

    @Override
    public void open(OpenContext context) {
        probe = DemoProbe.of(probeName);
    }

    @Override
    public void processElement(
            AckableMessage<DemoMessage> message,
            Context context,
            Collector<AckableMessage<DemoMessage>> out)
            throws InterruptedException {
        if (!probe.isDraining() && !message.getValue().isGreeting()) {
            Thread.sleep(perMessage.toMillis());
        }
        probe.worked(message.getValue());
        out.collect(message);
    }
}
