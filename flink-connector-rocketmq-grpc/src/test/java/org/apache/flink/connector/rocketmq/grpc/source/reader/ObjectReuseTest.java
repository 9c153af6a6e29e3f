/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.tuple.Tuple1;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.api.java.typeutils.TupleTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQMessageView;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schemas that fill one and the same instance again and again. */
class ObjectReuseTest {

    private final Tuple1<String> reused = new Tuple1<>();

    @Test
    void recordsThatShareAnInstanceStayApart() throws IOException {
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(
                        Configs.config(),
                        new Refilling(
                                TupleTypeInfo.getBasicTupleTypeInfo(String.class), reused, 3));
        emitting.emit(Messages.delivery("a", 2));

        assertThat(emitting.output().values())
                .extracting(tuple -> tuple.f0)
                .containsExactly("a-0#0", "a-0#1", "a-0#2", "a-1#0", "a-1#1", "a-1#2");
    }

    @Test
    void whatOnlyKryoKnowsIsRefusedRatherThanMixedUp() {
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(Configs.config(), new Refilling(generic(), reused, 2));

        assertThatThrownBy(() -> emitting.emit(Messages.delivery("a", 1)))
                .hasMessageContaining("message id a-0")
                .hasRootCauseMessage(
                        "the deserialization schema gave the same"
                                + " org.apache.flink.api.java.tuple.Tuple1 twice, and it cannot be"
                                + " copied (expected: a new instance for each record)");
    }

    @Test
    void aTypeWithAPartThatOnlyKryoKnowsIsRefusedToo() {
        TypeInformation<Tuple1<String>> type =
                new TupleTypeInfo<>(new GenericTypeInfo<>(String.class));
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(Configs.config(), new Refilling(type, reused, 2));

        assertThatThrownBy(() -> emitting.emit(Messages.delivery("a", 1)))
                .hasMessageContaining("message id a-0");
    }

    @Test
    void whatOnlyKryoKnowsIsRefusedAcrossTheMessagesOfADeliveryToo() {
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(Configs.config(), new Refilling(generic(), reused, 1));

        assertThatThrownBy(() -> emitting.emit(Messages.delivery("a", 2)))
                .hasMessageContaining("message id a-1");
    }

    @ParameterizedTest
    @EnumSource(DeserializationFailurePolicy.class)
    void noPolicyGoesOnWithWhatIsMixedUp(DeserializationFailurePolicy policy) {
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(
                        SourceConfig.from(
                                Configs.options()
                                        .set(
                                                RocketMQGrpcSourceOptions
                                                        .DESERIALIZATION_FAILURE_POLICY,
                                                policy)),
                        new Refilling(generic(), reused, 1));

        assertThatThrownBy(() -> emitting.emit(Messages.delivery("a", 2)))
                .hasMessageContaining("message id a-1");
        assertThat(emitting.output().values()).isEmpty();
        assertThat(emitting.consumer().acks()).isEmpty();
        assertThat(emitting.consumer().changes()).isEmpty();
    }

    @Test
    void whatOnlyKryoKnowsIsFineWithInstancesOfItsOwn() throws IOException {
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(Configs.config(), new Refilling(generic(), null, 2));
        emitting.emit(Messages.delivery("a", 2));

        assertThat(emitting.output().values())
                .extracting(tuple -> tuple.f0)
                .containsExactly("a-0#0", "a-0#1", "a-1#0", "a-1#1");
    }

    @Test
    void nullIsNoRecord() throws IOException {
        EmitterFixture<Tuple1<String>> emitting =
                new EmitterFixture<>(Configs.config(), new Refilling(generic(), null, -1));
        emitting.emit(Messages.delivery("a", 1));

        assertThat(emitting.output().values()).isEmpty();
        assertThat(emitting.consumer().acks()).hasSize(1);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static TypeInformation<Tuple1<String>> generic() {
        return new GenericTypeInfo(Tuple1.class);
    }

    /** So many records of a message, all in one instance, or each in its own; -1: one null. */
    private static final class Refilling implements RocketMQDeserializationSchema<Tuple1<String>> {
        private static final long serialVersionUID = 1L;
        private final TypeInformation<Tuple1<String>> type;
        private final Tuple1<String> instance;
        private final int records;

        private Refilling(
                TypeInformation<Tuple1<String>> type, Tuple1<String> instance, int records) {
            this.type = type;
            this.instance = instance;
            this.records = records;
        }

        @Override
        public void deserialize(RocketMQMessageView message, Collector<Tuple1<String>> out) {
            if (records < 0) {
                out.collect(null);
            }
            for (int i = 0; i < records; i++) {
                Tuple1<String> record = instance == null ? new Tuple1<>() : instance;
                record.f0 = new String(message.getBody(), StandardCharsets.UTF_8) + "#" + i;
                out.collect(record);
            }
        }

        @Override
        public TypeInformation<Tuple1<String>> getProducedType() {
            return type;
        }
    }
}
