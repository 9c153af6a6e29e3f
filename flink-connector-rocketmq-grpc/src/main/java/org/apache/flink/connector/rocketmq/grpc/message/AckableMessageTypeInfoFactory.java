/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.lang.reflect.Type;
import java.util.Map;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.common.typeinfo.TypeInfoFactory;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;

/**
 * Lets Flink's type extraction find {@link AckableMessageTypeInfo} by itself.
 *
 * @param <T> type of the value
 */
@Internal
public final class AckableMessageTypeInfoFactory<T> extends TypeInfoFactory<AckableMessage<T>> {

    @SuppressWarnings("unchecked")
    @Override
    public TypeInformation<AckableMessage<T>> createTypeInfo(
            Type type, Map<String, TypeInformation<?>> parameters) {
        TypeInformation<?> value = parameters.get("OUT");
        // A raw AckableMessage says nothing of its value: only that one goes to Kryo.
        return AckableMessageTypeInfo.of(
                (TypeInformation<T>) (value == null ? new GenericTypeInfo<>(Object.class) : value));
    }
}
