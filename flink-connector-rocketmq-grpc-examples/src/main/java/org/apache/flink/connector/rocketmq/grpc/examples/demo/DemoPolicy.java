/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.MessageThrottlePolicy;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.ThrottleContext;

/** Asks another policy, until the phase drains: then everything goes on. */
final class DemoPolicy implements MessageThrottlePolicy<DemoMessage> {

    private static final long serialVersionUID = 1L;

    private final String probeName;
    private final MessageThrottlePolicy<DemoMessage> whileUnderLoad;
    private transient DemoProbe probe;

    DemoPolicy(String probeName, MessageThrottlePolicy<DemoMessage> whileUnderLoad) {
        this.probeName = probeName;
        this.whileUnderLoad = whileUnderLoad;
    }

    @Override
    public void open(RuntimeContext context) throws Exception {
        probe = DemoProbe.of(probeName);
        whileUnderLoad.open(context);
    }

    @Override
    public Optional<Duration> onMessage(DemoMessage message) throws Exception {
        return probe.isDraining() ? Optional.empty() : whileUnderLoad.onMessage(message);
    }

    @Override
    public Optional<Duration> onMessage(DemoMessage message, ThrottleContext context)
            throws Exception {
        return probe.isDraining() ? Optional.empty() : whileUnderLoad.onMessage(message, context);
    }

    @Override
    public void close() throws Exception {
        whileUnderLoad.close();
    }
}
