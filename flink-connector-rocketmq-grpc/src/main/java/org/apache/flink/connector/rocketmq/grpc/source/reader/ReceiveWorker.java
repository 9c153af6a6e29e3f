/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one long poll at one broker going: polls, hands on, polls again, as long as there is room.
 *
 * <p>It is a state machine without a thread. It moves when an answer comes (the client's I/O
 * thread), when a message leaves the reader (mostly the task thread), when a pause is over (the
 * timer) and when receiving is resumed (the fetcher). Its lock guards its state and is never held
 * across an RPC; at most one poll is in flight.
 */
final class ReceiveWorker {

    private static final Logger LOG = LoggerFactory.getLogger(ReceiveWorker.class);

    private final String broker;
    private final int room;
    private final Host host;
    private final QueueBudget budget;
    private final PollPacing pacing;
    private final Clock clock;
    private final SourceMetrics metrics;

    private State state = State.READY;
    private boolean retired;
    private long pauses;
    private int waiting;

    /**
     * @param room most messages of this worker that may be asked for or wait in the reader
     */
    ReceiveWorker(
            String broker,
            int room,
            Host host,
            QueueBudget budget,
            PollPacing pacing,
            Clock clock,
            SourceMetrics metrics) {
        this.broker = broker;
        this.room = room;
        this.host = host;
        this.budget = budget;
        this.pacing = pacing;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Polls unless a poll or a pause is under way, the host says no, or less than half of the room
     * is free: many polls for a few messages each would cost more than the short wait.
     */
    void pollIfRoom() {
        QueueBudget.Grant grant;
        synchronized (this) {
            if (state != State.READY || retired || !host.mayPoll()) {
                return;
            }
            int free = room - waiting;
            if (2 * free < room) {
                return;
            }
            grant = budget.reserve(free);
            if (grant == null) {
                return;
            }
            state = State.POLLING;
        }
        poll(grant);
    }

    private void poll(QueueBudget.Grant grant) {
        long begun = clock.relativeTimeNanos();
        CompletableFuture<List<LiteMessage>> answer;
        try {
            answer = host.receive(broker, grant.messages());
        } catch (Throwable t) {
            host.fail(broker, t);
            return;
        }
        answer.whenComplete(
                (messages, failure) -> {
                    try {
                        answered(grant, begun, messages, failure);
                    } catch (Throwable t) {
                        host.fail(broker, t);
                    }
                });
    }

    private void answered(
            QueueBudget.Grant grant, long begun, List<LiteMessage> messages, Throwable failure) {
        if (failure != null) {
            budget.settle(grant, 0, 0);
            failed(unwrapped(failure));
            return;
        }
        budget.settle(grant, messages.size(), bytesOf(messages));
        if (messages.isEmpty()) {
            metrics.emptyPoll();
            Duration held = Duration.ofNanos(clock.relativeTimeNanos() - begun);
            continueAfter(pacing.afterEmpty(held));
            return;
        }
        synchronized (this) {
            waiting += messages.size();
        }
        host.deliver(QueuedMessage.ofAnswer(messages, host.invisibleDuration(), this));
        continueAfter(pacing.afterMessages());
    }

    private void failed(Throwable failure) {
        if (host.isClosed()) {
            return;
        }
        metrics.receiveError(codeOf(failure), clock.absoluteTimeMillis());
        if (isFatal(failure)) {
            host.fail(broker, failure);
            return;
        }
        Duration delay = pacing.afterFailure();
        LOG.warn(
                "receiving from broker {} failed, next attempt in {} ms: {}",
                broker,
                delay.toMillis(),
                failure.toString());
        continueAfter(delay);
    }

    private static String codeOf(Throwable failure) {
        return failure instanceof RpcException
                ? ((RpcException) failure).code()
                : failure.getClass().getSimpleName();
    }

    private static boolean isFatal(Throwable failure) {
        return failure instanceof Error
                || failure instanceof RpcException
                        && ((RpcException) failure).kind() == ErrorKind.FATAL;
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    private void continueAfter(Duration delay) {
        if (delay.isZero()) {
            ready();
            return;
        }
        long pause;
        synchronized (this) {
            state = State.PAUSING;
            pause = ++pauses;
        }
        host.after(delay, () -> pauseOver(pause));
    }

    private void pauseOver(long pause) {
        synchronized (this) {
            if (state != State.PAUSING || pause != pauses) {
                return;
            }
        }
        ready();
    }

    private void ready() {
        synchronized (this) {
            state = State.READY;
        }
        pollIfRoom();
    }

    /** A message of this worker left the reader. */
    void giveBack(QueuedMessage message) {
        host.left(message);
        synchronized (this) {
            waiting--;
        }
        boolean othersMayPoll = budget.giveBack(message.bytes());
        pollIfRoom();
        if (othersMayPoll) {
            host.pollAll();
        }
    }

    /** The broker is gone: a poll under way may end, no new one begins. */
    synchronized void retire() {
        retired = true;
    }

    /**
     * The broker is there, maybe again: polls at once, also during a pause. The pause after the
     * next failure is still the longer one.
     */
    void revive() {
        synchronized (this) {
            retired = false;
            if (state == State.PAUSING) {
                state = State.READY;
            }
        }
        pollIfRoom();
    }

    /** True if it is retired and nothing is under way. */
    synchronized boolean isDone() {
        return retired && state != State.POLLING;
    }

    /** True if neither a poll nor a pause between polls is under way. */
    synchronized boolean isHeldBack() {
        return state == State.READY;
    }

    private static long bytesOf(List<LiteMessage> messages) {
        long bytes = 0;
        for (LiteMessage message : messages) {
            bytes += message.body().length;
        }
        return bytes;
    }

    /** Where a worker stands. */
    private enum State {
        READY,
        POLLING,
        PAUSING
    }

    /** What a worker needs from the reader it belongs to; thread-safe, nothing in it blocks. */
    interface Host {

        /** One long poll. */
        CompletableFuture<List<LiteMessage>> receive(String broker, int messages);

        /** False while receiving is paused or over. */
        boolean mayPoll();

        /** True when receiving is over; then failures mean nothing. */
        boolean isClosed();

        /** What every message has when it arrives. */
        Duration invisibleDuration();

        /** Takes the messages of one answer. */
        void deliver(List<QueuedMessage> messages);

        /** A message left the reader, one way or another. */
        void left(QueuedMessage message);

        /** Receiving cannot go on. */
        void fail(String broker, Throwable failure);

        /** Runs an action later. */
        void after(Duration delay, Runnable action);

        /** Lets every worker poll that can. */
        void pollAll();
    }
}
