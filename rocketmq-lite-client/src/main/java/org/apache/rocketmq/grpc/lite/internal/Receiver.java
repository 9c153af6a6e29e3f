/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Broker;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.MessageQueue;
import apache.rocketmq.v2.ReceiveMessageRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long polls of one consumer. Hands on what is complete; gives back to the server what is not,
 * what comes after the close began, and what nobody waits for any more.
 *
 * <p>Used on the client's I/O thread only.
 */
final class Receiver implements Poll.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

    /** The server clamps the await duration to this at least, so the deadline must, too. */
    private static final Duration MIN_AWAIT = Duration.ofSeconds(5);

    private final LiteClientConfig config;
    private final LiteSubscription subscription;
    private final Loop loop;
    private final Settlement settlement;
    private final Observer observer;
    private final MessageReader reader;
    private final Map<Poll, CompletableFuture<List<LiteMessage>>> polls = new HashMap<>();
    private final Set<String> failedBrokers = new HashSet<>();
    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private int releasesUnderWay;
    private boolean closing;

    Receiver(
            LiteClientConfig config,
            LiteSubscription subscription,
            Loop loop,
            Settlement settlement,
            Observer observer) {
        this.config = config;
        this.subscription = subscription;
        this.loop = loop;
        this.settlement = settlement;
        this.observer = observer;
        this.reader = new MessageReader(subscription.topic());
    }

    /** Sends one poll. */
    void poll(
            RpcChannel channel,
            String broker,
            int maxMessages,
            CompletableFuture<List<LiteMessage>> result) {
        if (closing) {
            result.completeExceptionally(Failures.closed(ErrorKind.FATAL, channel.endpoint()));
            return;
        }
        Poll poll = new Poll(channel, broker, loop, this);
        polls.put(poll, result);
        observer.pollBegan(broker);
        poll.start(request(broker, maxMessages), deadline());
    }

    /**
     * From now on answers are given back instead of handed on.
     *
     * @return completes when no poll is under way and everything given back is answered for
     */
    CompletableFuture<Void> beginClose() {
        closing = true;
        noteDrained();
        return drained;
    }

    /** Ends the polls under way; they fail. */
    void cancelPolls() {
        for (Poll poll : new ArrayList<>(polls.keySet())) {
            poll.cancel();
        }
    }

    @Override
    public void ended(Poll poll, RpcException failure) {
        CompletableFuture<List<LiteMessage>> result = polls.remove(poll);
        observer.pollEnded(poll.broker(), !poll.messages().isEmpty());
        noteBroker(poll, failure);
        if (closing) {
            release(poll);
            result.completeExceptionally(
                    Failures.closed(ErrorKind.TRANSIENT, poll.channel().endpoint()));
        } else if (failure != null) {
            release(poll);
            result.completeExceptionally(failure);
        } else {
            handOn(poll, result);
        }
        noteDrained();
    }

    private void handOn(Poll poll, CompletableFuture<List<LiteMessage>> result) {
        List<LiteMessage> messages;
        try {
            messages = read(poll);
        } catch (RuntimeException | LinkageError e) {
            release(poll);
            result.completeExceptionally(poll.unreadable(e));
            return;
        }
        if (!result.complete(messages)) {
            release(poll);
        }
    }

    private void noteDrained() {
        if (closing && polls.isEmpty() && releasesUnderWay == 0) {
            drained.complete(null);
        }
    }

    private void noteBroker(Poll poll, RpcException failure) {
        if (failure == null) {
            if (failedBrokers.remove(poll.broker())) {
                observer.brokerAnswersAgain(poll.broker());
            }
        } else if (!closing) {
            failedBrokers.add(poll.broker());
            observer.pollFailed(poll.broker(), poll.channel(), failure);
        }
    }

    private List<LiteMessage> read(Poll poll) {
        long leaseEnd = poll.arrivedMillis() + subscription.invisibleDuration().toMillis();
        return reader.read(poll.messages(), poll.broker(), leaseEnd, loop.currentTimeMillis());
    }

    private void release(Poll poll) {
        List<Message> messages = poll.messages();
        if (messages.isEmpty()) {
            return;
        }
        LOG.debug("Giving {} messages back to broker {}", messages.size(), poll.broker());
        for (AckEntry entry : reader.firstOfEachDelivery(messages)) {
            releasesUnderWay++;
            release(poll.channel(), entry).whenComplete((handle, error) -> released(entry, error));
        }
    }

    /** Over whatever connection there is; while closing only the one at hand is left. */
    private CompletableFuture<String> release(RpcChannel channel, AckEntry entry) {
        return closing
                ? settlement.change(channel, entry, Duration.ZERO, true, config.requestTimeout())
                : settlement.changeInvisibleDuration(entry, Duration.ZERO, true);
    }

    private void released(AckEntry entry, Throwable error) {
        releasesUnderWay--;
        noteDrained();
        if (error != null) {
            LOG.debug("{} stays invisible until its invisible duration ends", entry, error);
        }
    }

    private ReceiveMessageRequest request(String broker, int maxMessages) {
        String namespace = config.namespace();
        return ReceiveMessageRequest.newBuilder()
                .setGroup(Requests.resource(namespace, subscription.group()))
                .setMessageQueue(
                        MessageQueue.newBuilder()
                                .setTopic(Requests.resource(namespace, subscription.topic()))
                                .setBroker(Broker.newBuilder().setName(broker)))
                .setFilterExpression(ConsumerSettings.EVERYTHING)
                .setBatchSize(maxMessages)
                .setInvisibleDuration(Requests.duration(subscription.invisibleDuration()))
                .setAutoRenew(false)
                .setLongPollingTimeout(Requests.duration(subscription.awaitDuration()))
                .setAttemptId(UUID.randomUUID().toString())
                .build();
    }

    private Duration deadline() {
        Duration await = subscription.awaitDuration();
        Duration held = await.compareTo(MIN_AWAIT) < 0 ? MIN_AWAIT : await;
        return held.plus(config.requestTimeout());
    }

    /** Hears how the polls fare; called on the I/O thread. */
    interface Observer {
        /** A poll was sent. */
        void pollBegan(String broker);

        /** A poll has ended, well or not. */
        void pollEnded(String broker, boolean withMessages);

        /** A poll failed while the client is open. */
        void pollFailed(String broker, RpcChannel channel, RpcException failure);

        /** A broker answered whose last poll had failed. */
        void brokerAnswersAgain(String broker);
    }
}
