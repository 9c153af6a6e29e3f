/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.Resource;
import apache.rocketmq.v2.SystemProperties;
import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;

/** From the protocol's message to ours. */
class MessageReaderTest {

    private static final long NOW = 1_700_000_000_000L;

    private final MessageReader reader = new MessageReader("topic");

    @Test
    void everyPartOfAMessageIsRead() {
        Message message =
                message("topic", "lite", "m1", "0 1796068180036 10000 999 0 broker-a 0 3 4001")
                        .toBuilder()
                        .putUserProperties("k", "v")
                        .putUserProperties("INNER_MULTI_DISPATCH", "%LMQ%$topic$lite")
                        .setBody(ByteString.copyFromUtf8("body"))
                        .build();
        LiteMessage read = read(message).get(0);
        assertThat(read.topic()).isEqualTo("topic");
        assertThat(read.liteTopic()).isEqualTo("lite");
        assertThat(read.messageId()).isEqualTo("m1");
        assertThat(read.receiptHandle()).endsWith(" 4001");
        assertThat(read.broker()).isEqualTo("broker-a");
        assertThat(read.deliveryId()).isEqualTo(1796068180036L);
        assertThat(read.offset()).isEqualTo(3);
        assertThat(read.deliveryAttempt()).isEqualTo(2);
        assertThat(read.body()).asString().isEqualTo("body");
        assertThat(read.isBodyIntact()).isTrue();
        assertThat(read.tag()).isEqualTo("tag");
        assertThat(read.keys()).containsExactly("k1", "k2");
        assertThat(read.properties()).isEqualTo(Map.of("k", "v"));
        assertThat(read.bornTimestamp()).isEqualTo(123_456L);
        assertThat(read.leaseEndMillis()).isEqualTo(NOW + 60_000);
    }

    @Test
    void whatIsMissingHasADefault() {
        LiteMessage read =
                read(Message.newBuilder()
                                .setSystemProperties(
                                        SystemProperties.newBuilder().setLiteTopic("lite"))
                                .build())
                        .get(0);
        assertThat(read.tag()).isNull();
        assertThat(read.keys()).isEmpty();
        assertThat(read.properties()).isEmpty();
        assertThat(read.deliveryAttempt()).isEqualTo(1);
        assertThat(read.body()).isEmpty();
    }

    // beside case 7
    @Test
    void theTopicIsTheOneSubscribedToWhateverTheMessageSays() {
        assertThat(read(message("%RETRY%group", "lite", "m1", "handle")).get(0).topic())
                .isEqualTo("topic");
    }

    @Test
    void handlesOfAnotherFormatAreNumberedByDelivery() {
        List<LiteMessage> first =
                read(
                        message("topic", "a", "m1", "h1"),
                        message("topic", "a", "m2", "h2"),
                        message("topic", "b", "m3", "h3"));
        List<LiteMessage> second = read(message("topic", "a", "m4", "h4"));
        assertThat(first.get(0).deliveryId()).isEqualTo(first.get(1).deliveryId());
        assertThat(first.get(2).deliveryId()).isNotEqualTo(first.get(0).deliveryId());
        assertThat(second.get(0).deliveryId()).isGreaterThan(first.get(0).deliveryId());
    }

    @Test
    void oneMessageOfEachLiteTopicReleasesItAll() {
        List<AckEntry> first =
                reader.firstOfEachDelivery(
                        List.of(
                                message("topic", "a", "m1", "h1"),
                                message("topic", "a", "m2", "h2"),
                                message("topic", "b", "m3", "h3")));
        assertThat(first).extracting(AckEntry::receiptHandle).containsExactly("h1", "h3");
        assertThat(first).extracting(AckEntry::liteTopic).containsExactly("a", "b");
    }

    private List<LiteMessage> read(Message... messages) {
        return reader.read(List.of(messages), "broker-a", NOW + 60_000, NOW);
    }

    private static Message message(String topic, String liteTopic, String id, String handle) {
        return Message.newBuilder()
                .setTopic(Resource.newBuilder().setName(topic))
                .setSystemProperties(
                        SystemProperties.newBuilder()
                                .setLiteTopic(liteTopic)
                                .setMessageId(id)
                                .setReceiptHandle(handle)
                                .setQueueOffset(3)
                                .setDeliveryAttempt(2)
                                .setTag("tag")
                                .addKeys("k1")
                                .addKeys("k2")
                                .setBornTimestamp(Timestamps.fromMillis(123_456L)))
                .build();
    }
}
