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
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle.ExtraReceipt;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQMessageView;
import org.apache.flink.util.Collector;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;

class MessageEmitterTest {

    private final BodySchema schema = new BodySchema();
    private final EmitterFixture<String> emitting = new EmitterFixture<>(Configs.config(), schema);
    private final ScriptedConsumer consumer = emitting.consumer();
    private final CountedMetrics counted = emitting.counted();
    private final ManualClock clock = emitting.clock();
    private final CollectedOutput<String> output = emitting.output();

    @Test
    void numbersTheMessagesOfADeliveryAndKnowsTheLast() throws IOException {
        emitting.emit(Messages.delivery("a", 3));

        assertThat(output.values()).containsExactly("a-0", "a-1", "a-2");
        assertThat(output.indexes()).containsExactly(0, 1, 2);
        assertThat(output.lasts()).containsExactly(false, false, true);
        assertThat(output.timestamps())
                .containsExactly(Messages.BORN, Messages.BORN + 1, Messages.BORN + 2);
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void theHandleNamesRouteMessageAndDelivery() throws IOException {
        // case 7: a retry topic in the message never becomes the topic of the ack
        emitting.emit(
                Collections.singletonList(
                        Messages.message("a", 5)
                                .from("%RETRY%GID-lite", "a")
                                .position("broker-b", 42, 5)
                                .deliveryAttempt(3)
                                .leaseEndMillis(60_000)
                                .build()));

        assertThat(output.handle(0))
                .isEqualTo(
                        RocketMQReceiptHandle.builder()
                                .route(Configs.ENDPOINTS, "", Messages.GROUP)
                                .message(Messages.TOPIC, "a", "a-5")
                                .receipt("handle-a-5", 60_000)
                                .delivery("broker-b", 42, 3)
                                .place(0, true)
                                .bornTimestamp(Messages.BORN + 5)
                                .build());
    }

    @Test
    void theNamespaceOfTheSourceIsThatOfItsRequestsAndOfEachHandle() throws IOException {
        // beside case 39
        for (String namespace : new String[] {"", "ns"}) {
            SourceConfig config =
                    SourceConfig.from(
                            Configs.options().set(RocketMQGrpcClientOptions.NAMESPACE, namespace));
            EmitterFixture<String> named = new EmitterFixture<>(config, schema);
            named.emit(Messages.delivery("a", 1));

            assertThat(config.toLiteClientConfig().namespace()).isEqualTo(namespace);
            assertThat(named.output().handle(0).getNamespace()).isEqualTo(namespace);
        }
    }

    @Test
    void aMessageWithManyRecordsGivesEachItsPart() throws IOException {
        schema.records.put("a-0", 3);
        emitting.emit(Messages.delivery("a", 2));

        assertThat(output.values()).containsExactly("a-0", "a-0", "a-0", "a-1");
        assertThat(output.indexes()).containsExactly(0, 0, 0, 1);
        assertThat(output.handles().stream().map(RocketMQReceiptHandle::getPart))
                .containsExactly(0, 1, 2, 0);
        assertThat(output.handles().stream().map(RocketMQReceiptHandle::getParts))
                .containsExactly(3, 3, 3, 1);
    }

    @Test
    void aMessageWithoutARecordRidesOnTheNextEmittedHandle() throws IOException {
        // beside case 13
        schema.records.put("a-0", 0);
        schema.records.put("a-1", 0);
        emitting.emit(Messages.delivery("a", 4));

        assertThat(output.values()).containsExactly("a-2", "a-3");
        assertThat(output.indexes()).containsExactly(0, 1);
        assertThat(extras(0)).containsExactly("a-0", "a-1");
        assertThat(extras(1)).isEmpty();
        assertThat(consumer.acks()).isEmpty();
    }

    @Test
    void aTrailingMessageWithoutARecordRidesOnTheLastEmittedHandle() throws IOException {
        // beside case 13
        schema.records.put("a-1", 0);
        schema.records.put("a-3", 0);
        emitting.emit(Messages.delivery("a", 4));

        assertThat(output.values()).containsExactly("a-0", "a-2");
        assertThat(output.lasts()).containsExactly(false, true);
        assertThat(extras(0)).isEmpty();
        assertThat(extras(1)).containsExactly("a-1", "a-3");
        assertThat(consumer.acks()).isEmpty();
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void everyPartCarriesTheReceiptsThatRideAlong() throws IOException {
        schema.records.put("a-0", 0);
        schema.records.put("a-1", 2);
        emitting.emit(Messages.delivery("a", 2));

        assertThat(extras(0)).containsExactly("a-0");
        assertThat(extras(1)).containsExactly("a-0");
    }

    @Test
    void aDeliveryWithoutAnyRecordIsAckedByTheSource() throws IOException {
        // beside case 13
        schema.records.put("a-0", 0);
        schema.records.put("a-1", 0);
        emitting.emit(Messages.delivery("a", 2));

        assertThat(output.values()).isEmpty();
        assertThat(consumer.acks()).hasSize(1);
        assertThat(consumer.acks().get(0))
                .extracting(
                        AckEntry::topic,
                        AckEntry::liteTopic,
                        AckEntry::messageId,
                        AckEntry::receiptHandle)
                .containsExactly(
                        tuple(Messages.TOPIC, "a", "a-0", "handle-a-0"),
                        tuple(Messages.TOPIC, "a", "a-1", "handle-a-1"));
        assertThat(counted.count("sourceAcks")).isEqualTo(2);
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void halfOfAHundredMessagesAreSettledWithoutARecord() throws IOException {
        // case 13
        for (int i = 1; i < 100; i += 2) {
            schema.records.put("a-" + i, 0);
        }
        emitting.emit(Messages.delivery("a", 100));

        assertThat(output.values()).hasSize(50);
        List<String> riding =
                output.handles().stream()
                        .flatMap(h -> h.getExtraReceipts().stream())
                        .map(ExtraReceipt::getMessageId)
                        .collect(Collectors.toList());
        assertThat(riding).hasSize(50).doesNotHaveDuplicates().contains("a-1", "a-99");
    }

    @Test
    void aFailingSourceAckIsCountedAndTheRoomComesBack() throws IOException {
        // beside case 13
        schema.records.put("a-0", 0);
        schema.records.put("a-1", 0);
        consumer.onAck(
                entries -> {
                    List<AckResult> results = new ArrayList<>();
                    results.add(AckResult.ok(entries.get(0)));
                    results.add(
                            AckResult.failed(
                                    entries.get(1),
                                    Messages.failure(
                                            ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE")));
                    return CompletableFuture.completedFuture(results);
                });
        emitting.emit(Messages.delivery("a", 2));
        consumer.onAck(
                entries ->
                        CompletableFuture.failedFuture(
                                Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE")));
        emitting.emit(Messages.delivery("a", 2));

        assertThat(counted.count("sourceAcks")).isEqualTo(1);
        assertThat(counted.count("sourceAckFailures")).isEqualTo(3);
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void sourceAcksWithoutAnAnswerKeepTheRoomSoTheirNumberIsBounded() throws IOException {
        schema.records.put("a-0", 0);
        CompletableFuture<List<AckResult>> answer = new CompletableFuture<>();
        consumer.onAck(entries -> answer);
        emitting.emit(Messages.delivery("a", 1));

        assertThat(counted.gauge("queuedMessages")).isEqualTo(1);
        answer.completeExceptionally(Messages.failure(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void aMessageWhoseLeaseEndedAndWhatFollowsItAreNotEmitted() throws IOException {
        List<LiteMessage> delivery = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            delivery.add(Messages.message("a", i).leaseEndMillis(60_000).build());
        }
        List<QueuedMessage> queued = emitting.receive(delivery);
        emitting.emitOne(queued.get(0));
        emitting.emitOne(queued.get(1));
        clock.advanceTime(Duration.ofSeconds(60));
        emitting.emitOne(queued.get(2));
        emitting.emitOne(queued.get(3));
        emitting.emit(Messages.delivery("b", 1));

        assertThat(output.values()).containsExactly("a-0", "b-0");
        assertThat(counted.count("expiredBeforeEmission")).isEqualTo(3);
        assertThat(counted.gauge("queuedMessages")).isZero();
        assertThat(consumer.acks()).isEmpty();
    }

    @Test
    void nothingOfAMessageIsAckedBeforeItsRecordsAreCollected() throws IOException {
        // case 14
        schema.records.put("a-0", 0);
        schema.records.put("a-1", 0);
        List<QueuedMessage> queued = emitting.receive(Messages.delivery("a", 3));
        emitting.emitOne(queued.get(0));
        emitting.emitOne(queued.get(1));
        assertThat(consumer.acks()).isEmpty();
        assertThat(output.values()).isEmpty();

        emitting.emitOne(queued.get(2));
        assertThat(consumer.acks()).isEmpty();
        assertThat(extras(0)).containsExactly("a-0", "a-1");
    }

    @Test
    void aFailingSchemaFailsTheJobNamingTheMessage() {
        schema.failure = new IOException("not JSON");

        assertThatThrownBy(() -> emitting.emit(Messages.delivery("a", 1)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "deserialization failed: topic LiteMainTopic, lite topic a, message id a-0")
                .hasRootCauseMessage("not JSON");
        assertThat(counted.count("numRecordsInErrors")).isEqualTo(1);
    }

    @Test
    void aBodyThatDoesNotMatchItsDigestFailsTheJobNamingTheMessage() {
        LiteMessage damaged = Messages.message("a", 0).body(new byte[3], false).build();

        assertThatThrownBy(() -> emitting.emit(Collections.singletonList(damaged)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "body does not match its digest: topic LiteMainTopic, lite topic a,"
                                + " message id a-0");
    }

    @Test
    void anEmptyBodyReachesTheSchema() throws IOException {
        // beside case 48
        emitting.emit(Collections.singletonList(Messages.ofSize("a", 0)));

        assertThat(output.values()).containsExactly("");
    }

    private List<String> extras(int record) {
        return output.handle(record).getExtraReceipts().stream()
                .map(ExtraReceipt::getMessageId)
                .collect(Collectors.toList());
    }

    /** The body as a string, as often as the test says; once unless it says. */
    private static final class BodySchema implements RocketMQDeserializationSchema<String> {
        private static final long serialVersionUID = 1L;
        private final HashMap<String, Integer> records = new HashMap<>();
        private IOException failure;

        @Override
        public void deserialize(RocketMQMessageView message, Collector<String> out)
                throws IOException {
            if (failure != null) {
                throw failure;
            }
            int count = records.getOrDefault(message.getMessageId(), 1);
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
