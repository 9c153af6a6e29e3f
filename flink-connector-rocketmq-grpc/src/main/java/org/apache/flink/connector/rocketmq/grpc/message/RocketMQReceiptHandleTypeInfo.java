/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** Type information of a {@link RocketMQReceiptHandle} that is kept in state or sent alone. */
@PublicEvolving
public final class RocketMQReceiptHandleTypeInfo extends TypeInformation<RocketMQReceiptHandle> {

    /** The only instance. */
    public static final RocketMQReceiptHandleTypeInfo INSTANCE =
            new RocketMQReceiptHandleTypeInfo();

    private static final long serialVersionUID = 1L;

    private RocketMQReceiptHandleTypeInfo() {}

    @Override
    public boolean isBasicType() {
        return false;
    }

    @Override
    public boolean isTupleType() {
        return false;
    }

    @Override
    public int getArity() {
        return 1;
    }

    @Override
    public int getTotalFields() {
        return 1;
    }

    @Override
    public Class<RocketMQReceiptHandle> getTypeClass() {
        return RocketMQReceiptHandle.class;
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<RocketMQReceiptHandle> createSerializer(SerializerConfig config) {
        return RocketMQReceiptHandleSerializer.INSTANCE;
    }

    @Override
    public String toString() {
        return "RocketMQReceiptHandle";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RocketMQReceiptHandleTypeInfo;
    }

    @Override
    public int hashCode() {
        return RocketMQReceiptHandleTypeInfo.class.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof RocketMQReceiptHandleTypeInfo;
    }
}
