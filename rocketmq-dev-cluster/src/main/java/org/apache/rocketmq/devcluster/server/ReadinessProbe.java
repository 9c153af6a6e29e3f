/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import apache.rocketmq.v2.AckMessageEntry;
import apache.rocketmq.v2.AckMessageRequest;
import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.FilterExpression;
import apache.rocketmq.v2.FilterType;
import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.MessageType;
import apache.rocketmq.v2.NotifyClientTerminationRequest;
import apache.rocketmq.v2.ReceiveMessageRequest;
import apache.rocketmq.v2.ReceiveMessageResponse;
import apache.rocketmq.v2.SendMessageRequest;
import apache.rocketmq.v2.Settings;
import apache.rocketmq.v2.Status;
import apache.rocketmq.v2.Subscription;
import apache.rocketmq.v2.SubscriptionEntry;
import apache.rocketmq.v2.SyncLiteSubscriptionRequest;
import apache.rocketmq.v2.SystemProperties;
import apache.rocketmq.v2.TelemetryCommand;
import apache.rocketmq.v2.UA;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.util.Timestamps;
import io.grpc.stub.StreamObserver;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Sends one lite message and receives it, over gRPC, as a client of its own: the only proof that a
 * cluster is ready.
 */
final class ReadinessProbe {

    private static final String LITE_TOPIC = "probe";
    private static final long PROBE_SECONDS = 60;
    private static final long HANDSHAKE_SECONDS = 30;

    /** For so long after a restart the proxy may still say that topic or group do not exist. */
    private static final long SETTLE_SECONDS = 15;

    private static final long RETRY_MS = 200;

    private final String topic;
    private final String group;
    private final ProxyClient client;
    private Exception lastFailure;

    /** A probe that talks as one client id to a lite topic and a wildcard group made for it. */
    ReadinessProbe(String topic, String group, ProxyClient client) {
        this.topic = topic;
        this.group = group;
        this.client = client;
    }

    void run() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
        StreamObserver<TelemetryCommand> telemetry = begin();
        while (telemetry == null) {
            if (System.nanoTime() - deadline > 0) {
                throw lastFailure;
            }
            Thread.sleep(RETRY_MS);
            telemetry = begin();
        }
        Await.until(this::receiveAndAck, PROBE_SECONDS, () -> "no message came through " + topic);
        check(
                "terminate",
                client.blocking()
                        .notifyClientTermination(
                                NotifyClientTerminationRequest.newBuilder()
                                        .setGroup(ProxyClient.resource(group))
                                        .build())
                        .getStatus());
        telemetry.onCompleted();
    }

    /** Introduces itself, subscribes and sends; null if the proxy does not take that yet. */
    private StreamObserver<TelemetryCommand> begin() throws InterruptedException {
        CompletableFuture<Void> handshake = new CompletableFuture<>();
        StreamObserver<TelemetryCommand> telemetry =
                client.streaming().telemetry(new HandshakeObserver(handshake));
        telemetry.onNext(settings());
        try {
            handshake.get(HANDSHAKE_SECONDS, TimeUnit.SECONDS);
            check("subscribe", client.blocking().syncLiteSubscription(subscription()).getStatus());
            check("send", client.blocking().sendMessage(message()).getStatus());
            return telemetry;
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            lastFailure = e;
            if (handshake.isDone() && !handshake.isCompletedExceptionally()) {
                telemetry.onCompleted();
            }
            return null;
        }
    }

    private boolean receiveAndAck() throws Exception {
        Iterator<ReceiveMessageResponse> answers =
                client.blocking().receiveMessage(receiveRequest());
        boolean received = false;
        while (answers.hasNext()) {
            ReceiveMessageResponse answer = answers.next();
            if (answer.hasMessage()) {
                ack(answer.getMessage());
                received = true;
            }
        }
        return received;
    }

    private void ack(Message message) throws Exception {
        AckMessageRequest request = ackRequest(message);
        AtomicReference<Status> status = new AtomicReference<>();
        Await.until(
                () -> {
                    status.set(client.blocking().ackMessage(request).getStatus());
                    return status.get().getCode() == Code.OK;
                },
                SETTLE_SECONDS,
                () -> "readiness probe, ack: " + status.get());
    }

    private AckMessageRequest ackRequest(Message message) {
        return AckMessageRequest.newBuilder()
                .setTopic(ProxyClient.resource(topic))
                .setGroup(ProxyClient.resource(group))
                .addEntries(
                        AckMessageEntry.newBuilder()
                                .setLiteTopic(LITE_TOPIC)
                                .setMessageId(message.getSystemProperties().getMessageId())
                                .setReceiptHandle(message.getSystemProperties().getReceiptHandle()))
                .build();
    }

    private ReceiveMessageRequest receiveRequest() {
        return ReceiveMessageRequest.newBuilder()
                .setGroup(ProxyClient.resource(group))
                .setMessageQueue(client.route(topic).queuePerBroker().get(0))
                .setFilterExpression(
                        FilterExpression.newBuilder().setType(FilterType.TAG).setExpression("*"))
                .setBatchSize(1)
                .setInvisibleDuration(seconds(30))
                .setLongPollingTimeout(seconds(5))
                .setAttemptId(UUID.randomUUID().toString())
                .build();
    }

    private SyncLiteSubscriptionRequest subscription() {
        return SyncLiteSubscriptionRequest.newBuilder()
                .setAction(LiteSubscriptionAction.COMPLETE_ADD)
                .setTopic(ProxyClient.resource(topic))
                .setGroup(ProxyClient.resource(group))
                .build();
    }

    private SendMessageRequest message() {
        SystemProperties properties =
                SystemProperties.newBuilder()
                        .setMessageId(UUID.randomUUID().toString())
                        .setMessageType(MessageType.LITE)
                        .setLiteTopic(LITE_TOPIC)
                        .setBornHost("dev-cluster")
                        .setBornTimestamp(Timestamps.fromMillis(System.currentTimeMillis()))
                        .build();
        return SendMessageRequest.newBuilder()
                .addMessages(
                        Message.newBuilder()
                                .setTopic(ProxyClient.resource(topic))
                                .setSystemProperties(properties)
                                .setBody(ByteString.copyFromUtf8("probe")))
                .build();
    }

    private TelemetryCommand settings() {
        Subscription subscription =
                Subscription.newBuilder()
                        .setGroup(ProxyClient.resource(group))
                        .addSubscriptions(
                                SubscriptionEntry.newBuilder()
                                        .setTopic(ProxyClient.resource(topic))
                                        .setExpression(
                                                FilterExpression.newBuilder()
                                                        .setType(FilterType.TAG)
                                                        .setExpression("*")))
                        .setLongPollingTimeout(seconds(5))
                        .build();
        return TelemetryCommand.newBuilder()
                .setSettings(
                        Settings.newBuilder()
                                .setClientType(ClientType.LITE_PUSH_CONSUMER)
                                .setAccessPoint(client.endpoints())
                                .setRequestTimeout(seconds(3))
                                .setUserAgent(UA.newBuilder().setVersion("5.2.1"))
                                .setSubscription(subscription))
                .build();
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    private static void check(String step, Status status) {
        if (status.getCode() != Code.OK) {
            throw new IllegalStateException(
                    "readiness probe, "
                            + step
                            + ": "
                            + status.getCode()
                            + " "
                            + status.getMessage());
        }
    }

    /** Completes when the server answered the settings, fails when it ended the stream. */
    private static final class HandshakeObserver implements StreamObserver<TelemetryCommand> {

        private final CompletableFuture<Void> handshake;

        private HandshakeObserver(CompletableFuture<Void> handshake) {
            this.handshake = handshake;
        }

        @Override
        public void onNext(TelemetryCommand command) {
            if (command.hasSettings()) {
                handshake.complete(null);
            }
        }

        @Override
        public void onError(Throwable failure) {
            handshake.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            handshake.completeExceptionally(new IllegalStateException("telemetry ended"));
        }
    }
}
