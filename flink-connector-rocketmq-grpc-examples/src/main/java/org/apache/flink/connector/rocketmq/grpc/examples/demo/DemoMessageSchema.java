/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import org.apache.flink.api.common.serialization.AbstractDeserializationSchema;

/** Reads {@link DemoMessage}s from message bodies. */
final class DemoMessageSchema extends AbstractDeserializationSchema<DemoMessage> {

    private static final long serialVersionUID = 1L;

    DemoMessageSchema() {
        super(DemoMessage.class);
    }

    @Override
    public DemoMessage deserialize(byte[] body) {
        return DemoMessage.fromBytes(body);
    }
}
