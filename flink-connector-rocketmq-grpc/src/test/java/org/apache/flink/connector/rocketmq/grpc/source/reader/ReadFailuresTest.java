/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQMessageView;
import org.apache.flink.util.Collector;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What becomes of messages that cannot be read. */
class ReadFailuresTest {

    private static final long LEASE_END = 60_000;

    private final CountingSchema schema = new CountingSchema();
    private EmitterFixture<String> emitting;

    @Test
    void zeroOneAndThreeRecordsAndEveryPolicyForWhatThrows() throws IOException {
        // case 47
        schema.records.put("a-0", 0);
        schema.records.put("a-2", 3);
        schema.records.put("a-3", -1);

        with(DeserializationFailurePolicy.FAIL);
        assertThatThrownBy(() -> emitting.emit(delivery(5)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "deserialization failed: topic LiteMainTopic, lite topic a, message id"
                                + " a-3");
        assertThat(emitting.counted().count("numRecordsInErrors")).isEqualTo(1);

        with(DeserializationFailurePolicy.SKIP);
        emitting.emit(delivery(5));
        assertThat(emitting.output().values()).containsExactly("a-1", "a-2", "a-2", "a-2", "a-4");
        assertThat(riding(0)).containsExactly("a-0");
        assertThat(riding(4)).containsExactly("a-3");
        assertThat(emitting.counted().count("numRecordsInErrors")).isEqualTo(1);
        assertThat(emitting.counted().count("skipped")).isEqualTo(1);

        retrying(3, true);
        for (int attempt = 1; attempt <= 3; attempt++) {
            emitting.emit(delivery(5));
        }
        assertThat(schema.calls.get("a-3")).isEqualTo(5);
        assertThat(emitting.output().values())
                .containsExactly(
                        "a-1", "a-2", "a-2", "a-2", "a-1", "a-2", "a-2", "a-2", "a-1", "a-2", "a-2",
                        "a-2", "a-4");
        assertThat(emitting.counted().count("retriedLater")).isEqualTo(2);
        assertThat(emitting.counted().count("skipped")).isEqualTo(1);
        assertThat(emitting.counted().count("numRecordsInErrors")).isEqualTo(3);
    }

    @Test
    void aMessageThatCanBeReadAtTheSecondAttemptIsEmittedAndItsAttemptsForgotten()
            throws IOException {
        // beside case 47
        retrying(2, false);
        schema.failures.put("a-0", 1);
        emitting.emit(delivery(1));
        assertThat(emitting.output().values()).isEmpty();
        emitting.emit(delivery(1));
        assertThat(emitting.output().values()).containsExactly("a-0");

        schema.failures.put("a-0", 1);
        emitting.emit(delivery(1));

        assertThat(emitting.counted().count("retriedLater")).isEqualTo(2);
    }

    @Test
    void theJobFailsAfterTheLastAttemptUnlessSkippingIsAsked() throws IOException {
        // beside case 47
        retrying(2, false);
        schema.records.put("a-0", -1);
        emitting.emit(delivery(1));

        assertThatThrownBy(() -> emitting.emit(delivery(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "deserialization failed: topic LiteMainTopic, lite topic a, message id"
                                + " a-0, after 2 attempts")
                .hasRootCauseMessage("no such thing");
    }

    @Test
    void aDeliveryOfWhichNothingWasEmittedIsDeferredWithOneCall() throws IOException {
        retrying(3, false);
        schema.records.put("a-0", 0);
        schema.records.put("a-1", -1);
        emitting.emit(delivery(4));

        assertThat(emitting.output().values()).isEmpty();
        assertThat(emitting.consumer().acks()).isEmpty();
        assertThat(changes()).containsExactly(tuple("a-1", Duration.ofSeconds(30), true));
        assertThat(emitting.busyUntil()).containsOnly(30_000L);
        answerChanges();
        assertThat(emitting.counted().gauge("queuedMessages")).isZero();
    }

    @Test
    void whatWasEmittedKeepsItsLeaseAndTheRestIsDeferredOneByOne() throws IOException {
        retrying(3, false);
        schema.records.put("a-2", -1);
        emitting.emit(delivery(5));

        assertThat(emitting.output().values()).containsExactly("a-0", "a-1");
        assertThat(emitting.output().lasts()).containsExactly(false, true);
        assertThat(changes())
                .containsExactly(
                        tuple("a-2", Duration.ofSeconds(30), false),
                        tuple("a-3", Duration.ofSeconds(30), false),
                        tuple("a-4", Duration.ofSeconds(30), false));
        answerChanges();
        assertThat(emitting.counted().gauge("queuedMessages")).isZero();
    }

    @Test
    void theRestNeedsNoCallIfItsLeaseEndsBeforeTheDelay() throws IOException {
        retrying(3, false);
        schema.records.put("a-1", -1);
        emitting.clock().advanceTime(Duration.ofSeconds(40));
        emitting.emit(delivery(4));

        assertThat(emitting.output().values()).containsExactly("a-0");
        assertThat(changes()).containsExactly(tuple("a-1", Duration.ofSeconds(30), false));
    }

    @Test
    void aDeferralThatFailsIsCountedAndTheRoomComesBack() throws IOException {
        retrying(3, false);
        emitting.consumer()
                .onChange(change -> change.fails(Messages.failure(ErrorKind.TRANSIENT, "TIMEOUT")));
        schema.records.put("a-1", -1);
        emitting.emit(delivery(3));

        assertThat(emitting.counted().count("retryDeferralFailures")).isEqualTo(2);
        assertThat(emitting.counted().gauge("queuedMessages")).isZero();
    }

    @Test
    void theNextDeliveryIsReadAsIfNothingHadHappened() throws IOException {
        retrying(3, false);
        schema.records.put("a-0", -1);
        List<LiteMessage> answer = new ArrayList<>(delivery(2));
        answer.addAll(Messages.delivery("b", 2));
        emitting.emit(answer);

        assertThat(emitting.output().values()).containsExactly("b-0", "b-1");
        assertThat(emitting.output().indexes()).containsExactly(0, 1);
    }

    @Test
    void aDamagedBodyGoesTheSameWayAndTheSchemaNeverSeesIt() throws IOException {
        // beside case 49
        LiteMessage damaged = Messages.message("a", 0).body(new byte[3], false).build();
        with(DeserializationFailurePolicy.FAIL);
        assertThatThrownBy(() -> emitting.emit(Collections.singletonList(damaged)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "body does not match its digest: topic LiteMainTopic, lite topic a,"
                                + " message id a-0");

        with(DeserializationFailurePolicy.SKIP);
        emitting.emit(Collections.singletonList(damaged));
        assertThat(emitting.counted().count("skipped")).isEqualTo(1);
        assertThat(emitting.consumer().acks()).hasSize(1);
        assertThat(emitting.consumer().acks().get(0))
                .extracting(AckEntry::messageId)
                .containsExactly("a-0");

        retrying(2, true);
        emitting.emit(Collections.singletonList(damaged));
        assertThat(changes()).containsExactly(tuple("a-0", Duration.ofSeconds(30), true));
        assertThat(schema.calls).isEmpty();
    }

    @Test
    void anEmptyBodyThatTheSchemaRefusesGoesTheSameWay() throws IOException {
        // case 48, the source half
        schema.refusesEmptyBodies = true;
        with(DeserializationFailurePolicy.SKIP);
        emitting.emit(Collections.singletonList(Messages.ofSize("a", 0)));

        assertThat(schema.calls).containsEntry("a-0", 1);
        assertThat(emitting.output().values()).isEmpty();
        assertThat(emitting.consumer().acks()).hasSize(1);
        assertThat(emitting.counted().count("skipped")).isEqualTo(1);
    }

    @Test
    void everyByteAndFourMebibytesReachTheSchemaAsTheyAre() throws IOException {
        // case 49, the source half
        byte[] bytes = new byte[4 << 20];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        List<byte[]> seen = new ArrayList<>();
        EmitterFixture<String> reading =
                new EmitterFixture<>(
                        Configs.config(),
                        new CountingSchema() {
                            private static final long serialVersionUID = 1L;

                            @Override
                            public void deserialize(
                                    RocketMQMessageView message, Collector<String> out) {
                                seen.add(message.getBody());
                                out.collect("read");
                            }
                        });
        reading.emit(Collections.singletonList(Messages.message("a", 0).body(bytes, true).build()));

        assertThat(seen).hasSize(1);
        assertThat(seen.get(0)).isEqualTo(bytes);
        assertThat(reading.counted().bytesIn()).isEqualTo(bytes.length);
    }

    @Test
    void attemptsAreCountedForSoManyMessagesOnly() {
        FailedAttempts attempts = new FailedAttempts(2);

        assertThat(attempts.failed("a")).isEqualTo(1);
        assertThat(attempts.failed("b")).isEqualTo(1);
        assertThat(attempts.failed("a")).isEqualTo(2);
        assertThat(attempts.failed("c")).isEqualTo(1);
        assertThat(attempts.failed("b")).isEqualTo(1);
        assertThat(attempts.size()).isEqualTo(2);
        attempts.forget("b");
        assertThat(attempts.failed("b")).isEqualTo(1);
    }

    private void with(DeserializationFailurePolicy policy) {
        Configuration options =
                Configs.options()
                        .set(RocketMQGrpcSourceOptions.DESERIALIZATION_FAILURE_POLICY, policy);
        emitting = new EmitterFixture<>(SourceConfig.from(options), schema);
    }

    private void retrying(int attempts, boolean skipAfter) {
        Configuration options =
                Configs.options()
                        .set(
                                RocketMQGrpcSourceOptions.DESERIALIZATION_FAILURE_POLICY,
                                DeserializationFailurePolicy.RETRY_LATER)
                        .set(RocketMQGrpcSourceOptions.DESERIALIZATION_MAX_ATTEMPTS, attempts)
                        .set(
                                RocketMQGrpcSourceOptions.DESERIALIZATION_SKIP_AFTER_RETRIES,
                                skipAfter);
        emitting = new EmitterFixture<>(SourceConfig.from(options), schema);
    }

    private static List<LiteMessage> delivery(int count) {
        List<LiteMessage> delivery = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            delivery.add(Messages.message("a", i).leaseEndMillis(LEASE_END).build());
        }
        return delivery;
    }

    private List<Tuple> changes() {
        return emitting.consumer().changes().stream()
                .map(c -> tuple(c.entry().messageId(), c.duration(), c.isSuspend()))
                .collect(Collectors.toList());
    }

    private void answerChanges() {
        emitting.consumer().changes().forEach(change -> change.answers("new handle"));
    }

    private List<String> riding(int record) {
        return emitting.output().handle(record).getExtraReceipts().stream()
                .map(ExtraReceipt::getMessageId)
                .collect(Collectors.toList());
    }

    /** As many records as the test says; -1 throws always, {@code failures} so many times. */
    private static class CountingSchema implements RocketMQDeserializationSchema<String> {
        private static final long serialVersionUID = 1L;
        private final Map<String, Integer> records = new HashMap<>();
        private final Map<String, Integer> failures = new HashMap<>();
        private final Map<String, Integer> calls = new HashMap<>();
        private boolean refusesEmptyBodies;

        @Override
        public void deserialize(RocketMQMessageView message, Collector<String> out)
                throws IOException {
            String id = message.getMessageId();
            calls.merge(id, 1, Integer::sum);
            int count = records.getOrDefault(id, 1);
            int failuresLeft = failures.merge(id, -1, Integer::sum);
            if (count < 0 || failuresLeft >= 0) {
                out.collect("collected before the failure");
                throw new IllegalStateException("no such thing");
            }
            if (refusesEmptyBodies && message.getBody().length == 0) {
                throw new IOException("end of input");
            }
            for (int i = 0; i < count; i++) {
                out.collect(new String(message.getBody(), StandardCharsets.UTF_8));
            }
        }

        @Override
        public TypeInformation<String> getProducedType() {
            return Types.STRING;
        }
    }
}
