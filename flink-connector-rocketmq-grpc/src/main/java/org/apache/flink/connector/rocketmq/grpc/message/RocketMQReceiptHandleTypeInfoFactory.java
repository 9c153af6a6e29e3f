/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Lets Flink's type extraction find {@link RocketMQReceiptHandleTypeInfo} by itself. */
@Internal
public final class RocketMQReceiptHandleTypeInfoFactory
        extends TypeInfoFactory<RocketMQReceiptHandle> {

    @Override
    public TypeInformation<RocketMQReceiptHandle> createTypeInfo(
            Type type, Map<String, TypeInformation<?>> parameters) {
        return RocketMQReceiptHandleTypeInfo.INSTANCE;
    }
}
