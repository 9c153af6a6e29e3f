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
import apache.rocketmq.v2.MessageQueue;
import apache.rocketmq.v2.MessageType;
import apache.rocketmq.v2.NotifyClientTerminationRequest;
import apache.rocketmq.v2.ReceiveMessageRequest;
import apache.rocketmq.v2.ReceiveMessageResponse;
import apache.rocketmq.v2.SendMessageRequest;
import apache.rocketmq.v2.SendMessageResponse;
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
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A small client on the server's own stubs, for the tests of this module. One thread. */
public final class LiteClient implements AutoCloseable {

    private static final int SENDS_IN_FLIGHT = 64;

    private final String topic;
    private final String group;
    private final ProxyClient proxy;
    private StreamObserver<TelemetryCommand> telemetry;

    public LiteClient(String endpoints, String topic, String group) {
        this.topic = topic;
        this.group = group;
        this.proxy = new ProxyClient(endpoints, null);
    }

    /** Opens the session; fails as the server refuses it. */
    public void connect() throws Exception {
        CompletableFuture<Void> handshake = new CompletableFuture<>();
        telemetry =
                proxy.streaming()
                        .telemetry(
                                new StreamObserver<TelemetryCommand>() {
                                    @Override
                                    public void onNext(TelemetryCommand command) {
                                        handshake.complete(null);
                                    }

                                    @Override
                                    public void onError(Throwable failure) {
                                        handshake.completeExceptionally(failure);
                                    }

                                    @Override
                                    public void onCompleted() {
                                        handshake.cancel(false);
                                    }
                                });
        telemetry.onNext(settings());
        handshake.get(10, TimeUnit.SECONDS);
    }

    public Code subscribe(LiteSubscriptionAction action, String... liteTopics) {
        return proxy.blocking()
                .syncLiteSubscription(
                        SyncLiteSubscriptionRequest.newBuilder()
                                .setAction(action)
                                .setTopic(ProxyClient.resource(topic))
                                .setGroup(ProxyClient.resource(group))
                                .addAllLiteTopicSet(List.of(liteTopics))
                                .build())
                .getStatus()
                .getCode();
    }

    /** Session and wildcard subscription. */
    public void join() throws Exception {
        connect();
        check(subscribe(LiteSubscriptionAction.COMPLETE_ADD));
    }

    public boolean topicIsKnown() {
        return !proxy.route(topic).isEmpty();
    }

    public void send(String liteTopic, String body) {
        SendMessageResponse response = proxy.blocking().sendMessage(message(liteTopic, body));
        check(response.getStatus());
    }

    /** Sends one message to each lite topic, many at a time. */
    public void sendToEach(Iterable<String> liteTopics) throws Exception {
        Semaphore room = new Semaphore(SENDS_IN_FLIGHT);
        List<CompletableFuture<Status>> sent = new ArrayList<>();
        for (String liteTopic : liteTopics) {
            room.acquire();
            CompletableFuture<Status> status = new CompletableFuture<>();
            status.whenComplete((answer, failure) -> room.release());
            sent.add(status);
            proxy.streaming().sendMessage(message(liteTopic, "x"), new SendObserver(status));
        }
        for (CompletableFuture<Status> status : sent) {
            check(status.get(30, TimeUnit.SECONDS));
        }
    }

    /** One long poll of each broker in turn until something arrives. */
    public List<Message> receive() {
        List<Message> messages = new ArrayList<>();
        for (MessageQueue queue : proxy.route(topic).queuePerBroker()) {
            Iterator<ReceiveMessageResponse> answers =
                    proxy.blocking().receiveMessage(receiveRequest(queue));
            while (answers.hasNext()) {
                ReceiveMessageResponse answer = answers.next();
                if (answer.hasMessage()) {
                    messages.add(answer.getMessage());
                }
            }
            if (!messages.isEmpty()) {
                break;
            }
        }
        return messages;
    }

    public void ack(Message message) {
        SystemProperties properties = message.getSystemProperties();
        check(
                proxy.blocking()
                        .ackMessage(
                                AckMessageRequest.newBuilder()
                                        .setTopic(ProxyClient.resource(topic))
                                        .setGroup(ProxyClient.resource(group))
                                        .addEntries(
                                                AckMessageEntry.newBuilder()
                                                        .setLiteTopic(properties.getLiteTopic())
                                                        .setMessageId(properties.getMessageId())
                                                        .setReceiptHandle(
                                                                properties.getReceiptHandle()))
                                        .build())
                        .getStatus());
    }

    /** Ends the session in order, if there is one. */
    public void leave() {
        check(
                proxy.blocking()
                        .notifyClientTermination(
                                NotifyClientTerminationRequest.newBuilder()
                                        .setGroup(ProxyClient.resource(group))
                                        .build())
                        .getStatus());
        telemetry.onCompleted();
    }

    @Override
    public void close() {
        proxy.close();
    }

    private SendMessageRequest message(String liteTopic, String body) {
        SystemProperties properties =
                SystemProperties.newBuilder()
                        .setMessageId(UUID.randomUUID().toString())
                        .setMessageType(MessageType.LITE)
                        .setLiteTopic(liteTopic)
                        .setBornHost("test")
                        .setBornTimestamp(Timestamps.fromMillis(System.currentTimeMillis()))
                        .build();
        return SendMessageRequest.newBuilder()
                .addMessages(
                        Message.newBuilder()
                                .setTopic(ProxyClient.resource(topic))
                                .setSystemProperties(properties)
                                .setBody(ByteString.copyFromUtf8(body)))
                .build();
    }

    private ReceiveMessageRequest receiveRequest(MessageQueue queue) {
        return ReceiveMessageRequest.newBuilder()
                .setGroup(ProxyClient.resource(group))
                .setMessageQueue(queue)
                .setFilterExpression(all())
                .setBatchSize(32)
                .setInvisibleDuration(seconds(30))
                .setLongPollingTimeout(seconds(5))
                .setAttemptId(UUID.randomUUID().toString())
                .build();
    }

    private TelemetryCommand settings() {
        Subscription subscription =
                Subscription.newBuilder()
                        .setGroup(ProxyClient.resource(group))
                        .addSubscriptions(
                                SubscriptionEntry.newBuilder()
                                        .setTopic(ProxyClient.resource(topic))
                                        .setExpression(all()))
                        .setLongPollingTimeout(seconds(5))
                        .build();
        return TelemetryCommand.newBuilder()
                .setSettings(
                        Settings.newBuilder()
                                .setClientType(ClientType.LITE_PUSH_CONSUMER)
                                .setAccessPoint(proxy.endpoints())
                                .setRequestTimeout(seconds(3))
                                .setUserAgent(UA.newBuilder().setVersion("5.2.1"))
                                .setSubscription(subscription))
                .build();
    }

    private static FilterExpression all() {
        return FilterExpression.newBuilder().setType(FilterType.TAG).setExpression("*").build();
    }

    private static Duration seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds).build();
    }

    private static void check(Status status) {
        check(status.getCode());
    }

    private static void check(Code code) {
        if (code != Code.OK) {
            throw new AssertionError("expected OK, got " + code);
        }
    }

    /** Hands the status of one send on. */
    private static final class SendObserver implements StreamObserver<SendMessageResponse> {

        private final CompletableFuture<Status> status;

        private SendObserver(CompletableFuture<Status> status) {
            this.status = status;
        }

        @Override
        public void onNext(SendMessageResponse response) {
            status.complete(response.getStatus());
        }

        @Override
        public void onError(Throwable failure) {
            status.completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {
            status.completeExceptionally(new IllegalStateException("no answer"));
        }
    }
}
