/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.internal.GrpcLiteSimpleConsumer;

/**
 * Receives the messages of all lite topics of one main topic through one wildcard subscription, and
 * settles them by hand.
 *
 * <p>Every method may be called from any thread and returns at once. Futures complete on the
 * client's only I/O thread: a continuation must not block. After {@link #close()} every call fails.
 *
 * <p>On the server a lite topic is a strict FIFO per group: nothing more of it is delivered until
 * every message of its last delivery is acked or visible again.
 */
public interface LiteSimpleConsumer extends AutoCloseable {

    /** A client that is not started; nothing runs yet. */
    static LiteSimpleConsumer create(LiteClientConfig config, LiteSubscription subscription) {
        return new GrpcLiteSimpleConsumer(config, subscription);
    }

    /**
     * Connects, reads the route, opens the session, checks that the group really is a wildcard
     * group of this topic and subscribes.
     *
     * @return completes when messages can be received; fails with {@link RpcException} (fatal)
     *     within about 10 s, its message holding endpoint, topic, group, code and the {@code
     *     mqadmin} line that repairs it
     */
    CompletableFuture<Void> start();

    /**
     * Names of the readable brokers of the topic as of the latest route; empty before the start.
     */
    Set<String> brokers();

    /**
     * Registers the one listener for changes of {@link #brokers()}; called on the I/O thread with
     * the new names, first when the start completes, and with the same ones again when a broker or
     * the proxy is back after an outage and is worth a poll at once.
     */
    void onBrokersChanged(Consumer<Set<String>> listener);

    /**
     * One long poll at one broker. Joins again after {@link #withdraw}.
     *
     * @param broker one of {@link #brokers()}
     * @param maxMessages 1–32
     * @return the messages, at most 32 per lite topic and call, complete and in the order of their
     *     lite topic; empty when nothing came within the await duration. Fails with {@link
     *     RpcException}. The messages stay invisible to others for the subscription's invisible
     *     duration
     */
    CompletableFuture<List<LiteMessage>> receive(String broker, int maxMessages);

    /** Like {@link LiteAcknowledger#ack}. */
    CompletableFuture<List<AckResult>> ack(List<AckEntry> entries);

    /** Like {@link LiteAcknowledger#changeInvisibleDuration}. */
    CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend);

    /**
     * Withdraws the subscription until the next {@link #receive}: what waits for this client goes
     * to the other members of the group at once, and nothing new is meant for it. Acks and changes
     * of invisible durations go on. Polls under way are not ended and bring nothing any more.
     *
     * <p>Backlog reaches a client that joins again 5 to 15 s later (server 5.5.0), new messages at
     * once.
     *
     * @return completes when the server has taken it; fails with {@link RpcException}, then it is
     *     tried again with growing delays until the next {@code receive}
     */
    CompletableFuture<Void> withdraw();

    /**
     * Leaves the group: withdraws the subscription, gives answers under way 300 ms, cancels the
     * polls, releases what arrived meanwhile, says goodbye. Takes at most 2 s, also when
     * interrupted (the flag is kept) or when the server does not answer. Idempotent; fine before
     * {@link #start()}.
     */
    @Override
    void close();
}
