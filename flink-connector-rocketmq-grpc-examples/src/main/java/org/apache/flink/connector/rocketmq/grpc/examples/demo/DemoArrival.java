/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;

/** Counts what the source emits; chained to it. */
final class DemoArrival
        extends RichMapFunction<AckableMessage<DemoMessage>, AckableMessage<DemoMessage>> {

    private static final long serialVersionUID = 1L;

    private final String probeName;
    private transient DemoProbe probe;

    DemoArrival(String probeName) {
        this.probeName = probeName;
    }

    @Override
    public void open(OpenContext context) {
        probe = DemoProbe.of(probeName);
    }

    @Override
    public AckableMessage<DemoMessage> map(AckableMessage<DemoMessage> message) {
        probe.received();
        return message;
    }
}
