/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Encoding;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.MessageType;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.SendMessageRequest;
import apache.rocketmq.v2.SendMessageResponse;
import apache.rocketmq.v2.SendResultEntry;
import apache.rocketmq.v2.Status;
import apache.rocketmq.v2.SystemProperties;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.util.Timestamps;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.SendReceipt;

/** The producer over gRPC: hops onto the I/O thread, where the rest of it runs. */
public final class GrpcLiteProducer implements LiteProducer {

    private final LiteClientConfig config;
    private final String topic;
    private final IoLoop loop;
    private final ClientSession session;
    private final MessageIds ids = new MessageIds(System.currentTimeMillis());

    /** Starts nothing. */
    public GrpcLiteProducer(LiteClientConfig config, String topic) {
        this.config = Objects.requireNonNull(config, "config");
        this.topic = Objects.requireNonNull(topic, "topic");
        this.loop = new IoLoop("producer");
        this.session = new ClientSession(config, new ProducerRole(config, topic), loop);
    }

    @Override
    public CompletableFuture<Void> start() {
        return session.start();
    }

    @Override
    public CompletableFuture<SendReceipt> send(LiteOutgoingMessage message) {
        String problem = OutgoingCheck.problemOf(message);
        if (problem != null) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(problem));
        }
        return session.onLoop(
                result -> {
                    long deadline = loop.nanoTime() + config.requestTimeout().toNanos();
                    session.ready(config.requestTimeout())
                            .thenCompose(channel -> send(channel, message, deadline))
                            .whenComplete(
                                    (receipt, error) -> {
                                        if (error == null) {
                                            result.complete(receipt);
                                        } else {
                                            result.completeExceptionally(
                                                    Failures.of(error, session.endpoint()));
                                        }
                                    });
                });
    }

    @Override
    public void close() {
        SessionEnd.await(session.close(), loop);
    }

    private CompletableFuture<SendReceipt> send(
            RpcChannel channel, LiteOutgoingMessage message, long deadline) {
        long left = Math.max(1, deadline - loop.nanoTime());
        String messageId = ids.next();
        SendMessageRequest request =
                SendMessageRequest.newBuilder().addMessages(toProtocol(message, messageId)).build();
        return channel.call(
                        MessagingServiceGrpc.getSendMessageMethod(),
                        request,
                        Duration.ofNanos(left))
                .thenCompose(answer -> receipt(channel, answer, messageId));
    }

    private static CompletableFuture<SendReceipt> receipt(
            RpcChannel channel, Answer<SendMessageResponse> answer, String messageId) {
        SendMessageResponse response = answer.value();
        Status status = response.getStatus();
        if (status.getCode() == Code.OK && response.getEntriesCount() == 1) {
            status = response.getEntries(0).getStatus();
        } else if (status.getCode() == Code.OK) {
            String text = response.getEntriesCount() + " results for one message";
            return CompletableFuture.failedFuture(
                    answer.call().failure(ErrorKind.TRANSIENT, "BROKEN_ANSWER", text, null));
        }
        if (status.getCode() != Code.OK) {
            return CompletableFuture.failedFuture(
                    answer.call().refused(status, channel.established()));
        }
        SendResultEntry entry = response.getEntries(0);
        String id = entry.getMessageId().isEmpty() ? messageId : entry.getMessageId();
        return CompletableFuture.completedFuture(new SendReceipt(id, entry.getOffset()));
    }

    private Message toProtocol(LiteOutgoingMessage message, String messageId) {
        SystemProperties.Builder properties =
                SystemProperties.newBuilder()
                        .setMessageId(messageId)
                        .setMessageType(MessageType.LITE)
                        .setLiteTopic(message.liteTopic())
                        .addAllKeys(message.keys())
                        .setBodyEncoding(Encoding.IDENTITY)
                        .setBornTimestamp(Timestamps.fromMillis(loop.currentTimeMillis()))
                        .setBornHost(ClientIds.hostName());
        if (message.tag() != null) {
            properties.setTag(message.tag());
        }
        return Message.newBuilder()
                .setTopic(Requests.resource(config.namespace(), topic))
                .setSystemProperties(properties)
                .putAllUserProperties(message.properties())
                .setBody(UnsafeByteOperations.unsafeWrap(message.body()))
                .build();
    }
}
