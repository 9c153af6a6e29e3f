/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;

/** Receives for tests that each look at a lite topic of their own. One thread. */
final class Inbox {

    private static final int MAX_POLLS = 10;

    private final LiteServer server;
    private final LiteSimpleConsumer consumer;
    private final String broker;
    private final Map<String, List<LiteMessage>> arrived = new HashMap<>();

    Inbox(LiteServer server, LiteSimpleConsumer consumer, String broker) {
        this.server = server;
        this.consumer = consumer;
        this.broker = broker;
    }

    /** The next delivery of a lite topic, which must have so many messages. */
    List<LiteMessage> next(String liteTopic, int count) throws Exception {
        for (int polls = 0; !arrived.containsKey(liteTopic) && polls < MAX_POLLS; polls++) {
            poll();
        }
        List<LiteMessage> delivery = arrived.remove(liteTopic);
        assertThat(delivery).as(liteTopic).hasSize(count);
        return delivery;
    }

    /** One poll to its end, however long that takes; false if the lite topic was in the answer. */
    boolean pollWithout(String liteTopic) throws Exception {
        poll();
        return !arrived.containsKey(liteTopic);
    }

    void ack(LiteMessage message) throws Exception {
        List<AckResult> results = consumer.ack(List.of(entry(message))).get(5, TimeUnit.SECONDS);
        assertThat(results).hasSize(1).allMatch(AckResult::isOk);
    }

    static AckEntry entry(LiteMessage message) {
        return entry(message, message.receiptHandle());
    }

    static AckEntry entry(LiteMessage message, String receiptHandle) {
        return new AckEntry(
                message.topic(), message.liteTopic(), message.messageId(), receiptHandle);
    }

    private void poll() throws Exception {
        for (LiteMessage message : server.finish(consumer.receive(broker, 32))) {
            arrived.computeIfAbsent(message.liteTopic(), l -> new ArrayList<>()).add(message);
        }
    }
}
