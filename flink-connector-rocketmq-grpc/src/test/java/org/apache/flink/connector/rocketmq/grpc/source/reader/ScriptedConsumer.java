/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;

/** A consumer in memory that answers what a test says; a poll without a script stays open. */
public final class ScriptedConsumer implements LiteSimpleConsumer {

    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final List<Poll> polls = new CopyOnWriteArrayList<>();
    private final List<List<AckEntry>> acks = new CopyOnWriteArrayList<>();
    private final AtomicInteger closes = new AtomicInteger();
    private final CountDownLatch goodbye = new CountDownLatch(1);

    private volatile Set<String> brokers;
    private volatile Consumer<Set<String>> listener = names -> {};
    private volatile Consumer<Poll> pollScript = poll -> {};
    private volatile Function<List<AckEntry>, CompletableFuture<List<AckResult>>> ackScript =
            entries ->
                    CompletableFuture.completedFuture(
                            entries.stream().map(AckResult::ok).collect(Collectors.toList()));
    private final List<Change> changes = new CopyOnWriteArrayList<>();
    private final AtomicInteger withdrawals = new AtomicInteger();
    private volatile Consumer<Change> changeScript =
            change -> change.answers(change.entry.receiptHandle() + "+");
    private volatile boolean closeWaits;

    public ScriptedConsumer(String... brokers) {
        this.brokers = new LinkedHashSet<>(Arrays.asList(brokers));
    }

    /** The start succeeds: tells the brokers, then completes, as the client does. */
    public ScriptedConsumer startSucceeds() {
        listener.accept(brokers);
        started.complete(null);
        return this;
    }

    public void startFails(Throwable failure) {
        started.completeExceptionally(failure);
    }

    public void changeBrokers(String... names) {
        brokers = new LinkedHashSet<>(Arrays.asList(names));
        listener.accept(brokers);
    }

    /** Called with every poll, on the thread that polls. */
    public ScriptedConsumer onPoll(Consumer<Poll> script) {
        pollScript = script;
        return this;
    }

    public void onAck(Function<List<AckEntry>, CompletableFuture<List<AckResult>>> script) {
        ackScript = script;
    }

    /** From now on {@link #close} takes its full 2 s, as at a server that never answers. */
    public void closeTakesTwoSeconds() {
        closeWaits = true;
    }

    public List<Poll> polls() {
        return polls;
    }

    /** Polls that have no answer yet, oldest first. */
    public List<Poll> openPolls() {
        return polls.stream().filter(p -> !p.answer.isDone()).collect(Collectors.toList());
    }

    public List<Poll> openPolls(String broker) {
        return openPolls().stream()
                .filter(p -> p.broker.equals(broker))
                .collect(Collectors.toList());
    }

    /** The only open poll. */
    public Poll openPoll() {
        List<Poll> open = openPolls();
        if (open.size() != 1) {
            throw new AssertionError("open polls: " + open.size() + " (expected: 1)");
        }
        return open.get(0);
    }

    public List<List<AckEntry>> acks() {
        return acks;
    }

    /** Called with every change, on the thread that asks; unless told, it succeeds at once. */
    public void onChange(Consumer<Change> script) {
        changeScript = script;
    }

    public List<Change> changes() {
        return changes;
    }

    public int withdrawals() {
        return withdrawals.get();
    }

    public int closes() {
        return closes.get();
    }

    @Override
    public CompletableFuture<Void> start() {
        return started;
    }

    @Override
    public Set<String> brokers() {
        return brokers;
    }

    @Override
    public void onBrokersChanged(Consumer<Set<String>> newListener) {
        listener = newListener;
    }

    @Override
    public CompletableFuture<List<LiteMessage>> receive(String broker, int maxMessages) {
        Poll poll = new Poll(broker, maxMessages);
        polls.add(poll);
        pollScript.accept(poll);
        return poll.answer;
    }

    @Override
    public CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        acks.add(new ArrayList<>(entries));
        return ackScript.apply(entries);
    }

    @Override
    public CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend) {
        Change change = new Change(entry, invisibleDuration, suspend, closes.get() > 0);
        changes.add(change);
        changeScript.accept(change);
        return change.answer;
    }

    @Override
    public CompletableFuture<Void> withdraw() {
        withdrawals.incrementAndGet();
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        closes.incrementAndGet();
        if (!closeWaits) {
            return;
        }
        try {
            if (goodbye.await(2, TimeUnit.SECONDS)) {
                throw new AssertionError("nobody says goodbye");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One poll. */
    public static final class Poll {
        private final String broker;
        private final int maxMessages;
        private final CompletableFuture<List<LiteMessage>> answer = new CompletableFuture<>();

        private Poll(String broker, int maxMessages) {
            this.broker = broker;
            this.maxMessages = maxMessages;
        }

        public String broker() {
            return broker;
        }

        public int maxMessages() {
            return maxMessages;
        }

        public void answers(LiteMessage... messages) {
            answer.complete(Arrays.asList(messages));
        }

        public void answers(List<LiteMessage> messages) {
            answer.complete(messages);
        }

        public void fails(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** One change of an invisible duration. */
    public static final class Change {
        private final AckEntry entry;
        private final Duration duration;
        private final boolean suspend;
        private final boolean afterClose;
        private final CompletableFuture<String> answer = new CompletableFuture<>();

        private Change(AckEntry entry, Duration duration, boolean suspend, boolean afterClose) {
            this.entry = entry;
            this.duration = duration;
            this.suspend = suspend;
            this.afterClose = afterClose;
        }

        public AckEntry entry() {
            return entry;
        }

        public Duration duration() {
            return duration;
        }

        public boolean isSuspend() {
            return suspend;
        }

        public boolean isAfterClose() {
            return afterClose;
        }

        public void answers(String newHandle) {
            answer.complete(newHandle);
        }

        public void fails(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }
}
