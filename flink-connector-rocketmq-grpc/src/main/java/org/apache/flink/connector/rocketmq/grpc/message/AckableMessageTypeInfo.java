/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.message;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Type information of an {@link AckableMessage}, so that it never falls back to a generic
 * serializer.
 *
 * <pre>{@code
 * stream.map(m -> m.withValue(parse(m.getValue())))
 *       .returns(AckableMessageTypeInfo.of(Types.POJO(Order.class)));
 * }</pre>
 *
 * @param <T> type of the value
 */
@PublicEvolving
public final class AckableMessageTypeInfo<T> extends TypeInformation<AckableMessage<T>> {

    private static final long serialVersionUID = 1L;

    private final TypeInformation<T> valueType;

    private AckableMessageTypeInfo(TypeInformation<T> valueType) {
        this.valueType = Objects.requireNonNull(valueType, "valueType");
    }

    /**
     * Type information over that of the value.
     *
     * @param valueType not null
     * @param <T> type of the value
     */
    public static <T> AckableMessageTypeInfo<T> of(TypeInformation<T> valueType) {
        return new AckableMessageTypeInfo<>(valueType);
    }

    /** Type information of the value. */
    public TypeInformation<T> getValueType() {
        return valueType;
    }

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
        return 2;
    }

    @Override
    public int getTotalFields() {
        return 1 + valueType.getTotalFields();
    }

    @SuppressWarnings("unchecked")
    @Override
    public Class<AckableMessage<T>> getTypeClass() {
        return (Class<AckableMessage<T>>) (Class<?>) AckableMessage.class;
    }

    @Override
    public Map<String, TypeInformation<?>> getGenericParameters() {
        return Collections.singletonMap("OUT", valueType);
    }

    @Override
    public boolean isKeyType() {
        return false;
    }

    @Override
    public TypeSerializer<AckableMessage<T>> createSerializer(SerializerConfig config) {
        return new AckableMessageSerializer<>(valueType.createSerializer(config));
    }

    @Override
    public String toString() {
        return "AckableMessage<" + valueType + ">";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AckableMessageTypeInfo
                && valueType.equals(((AckableMessageTypeInfo<?>) other).valueType);
    }

    @Override
    public int hashCode() {
        return 31 + valueType.hashCode();
    }

    @Override
    public boolean canEqual(Object other) {
        return other instanceof AckableMessageTypeInfo;
    }
}
