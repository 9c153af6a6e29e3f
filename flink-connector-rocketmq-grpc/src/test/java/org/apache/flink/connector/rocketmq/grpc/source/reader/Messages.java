/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.RpcException;

/** Received messages, made up. */
public final class Messages {

    public static final String TOPIC = "LiteMainTopic";
    public static final String GROUP = "GID-lite";
    public static final long BORN = 1_700_000_000_000L;

    private static final AtomicLong DELIVERIES = new AtomicLong();

    private Messages() {}

    /** A builder of the n-th message of a lite topic; never expires. */
    public static LiteMessage.Builder message(String liteTopic, long offset) {
        return LiteMessage.builder()
                .from(TOPIC, liteTopic)
                .messageId(liteTopic + "-" + offset)
                .receiptHandle("handle-" + liteTopic + "-" + offset)
                .position("broker-a", 7, offset)
                .body((liteTopic + "-" + offset).getBytes(StandardCharsets.UTF_8), true)
                .bornTimestamp(BORN + offset)
                .leaseEndMillis(Long.MAX_VALUE);
    }

    /** One delivery: messages 0 to count - 1 of a lite topic. */
    public static List<LiteMessage> delivery(String liteTopic, int count) {
        long id = DELIVERIES.incrementAndGet();
        List<LiteMessage> messages = new ArrayList<>(count);
        for (int offset = 0; offset < count; offset++) {
            messages.add(message(liteTopic, offset).position("broker-a", id, offset).build());
        }
        return messages;
    }

    /** One message with a body of so many bytes. */
    public static LiteMessage ofSize(String liteTopic, int bytes) {
        return message(liteTopic, 0).body(new byte[bytes], true).build();
    }

    public static RpcException failure(ErrorKind kind, String code) {
        return new RpcException(
                kind, code, "request-1", "127.0.0.1:8081", "said the server: " + code, null);
    }
}
