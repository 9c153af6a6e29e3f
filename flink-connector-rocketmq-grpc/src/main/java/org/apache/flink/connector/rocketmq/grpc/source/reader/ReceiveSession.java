/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.InvisibleDurationRenewalPolicy;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.LeaseRenewer;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiving side of one reader: one consumer, its workers, the queue they fill, the care for
 * what waits there, and the first failure of any of them.
 *
 * <p>{@link #start}, {@link #take}, {@link #pause} and {@link #resume} are called by the fetcher,
 * {@link #ack} by the task thread, {@link #wakeUp} and {@link #close} by both; workers call from
 * the client's I/O thread and the timer. Nothing waits for the server except {@code close}, for 3.5
 * s at most: the release of what waits 1.5 s, the client 2 s.
 */
final class ReceiveSession
        implements ReceiveWorker.Host, LeaseRenewer.Host, Withdrawal.Host, AutoCloseable {

    /** The client fails a start within 10 s; this is for a client that does not. */
    static final Duration START_LIMIT = Duration.ofSeconds(12);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(ReceiveSession.class);

    private final SourceConfig config;
    private final LiteConsumerFactory factory;
    private final SourceMetrics metrics;
    private final SourceTimer timer;
    private final Clock clock;
    private final QueueBudget budget;
    private final BrokerWorkers workers;
    private final WaitingDeliveries deliveries = new WaitingDeliveries();
    private final Optional<LeaseRenewer> renewer;
    private final Optional<Withdrawal> withdrawal;
    private final Optional<IdleEnd> idleEnd;
    private final WaitingTimes times;
    private final RedeliveryWatch redeliveries;
    private final ReceiveQueue queue = new ReceiveQueue();
    private final FailureSlot failures = new FailureSlot();

    private volatile LiteSimpleConsumer consumer;
    private volatile boolean paused;
    private volatile boolean withdrawn;
    private volatile boolean closed;

    /**
     * @param policy decides what is renewed; empty if nothing is
     */
    ReceiveSession(
            SourceConfig config,
            LiteConsumerFactory factory,
            Optional<InvisibleDurationRenewalPolicy> policy,
            SourceMetrics metrics,
            SourceTimer timer,
            Clock clock) {
        this.config = config;
        this.factory = factory;
        this.metrics = metrics;
        this.timer = timer;
        this.clock = clock;
        this.times =
                new WaitingTimes(
                        clock,
                        policy.isPresent()
                                ? config.waiting().renewalMaxDuration()
                                : config.invisibleDuration());
        this.budget = new QueueBudget(config.maxQueuedBytes(), times::mayWait);
        this.workers = new BrokerWorkers(config.fetchConcurrency(), this::newWorker);
        this.renewer = policy.map(p -> new LeaseRenewer(p, config, this, clock, metrics));
        this.withdrawal =
                config.waiting()
                        .withdrawAfter()
                        .map(after -> new Withdrawal(after, this, clock, metrics));
        this.idleEnd =
                config.boundedByIdle().map(idle -> new IdleEnd(idle, IdleEnd.JOIN_GRACE, clock));
        this.redeliveries = new RedeliveryWatch(clock, config.invisibleDuration());
        metrics.watchQueue(budget::waitingMessages, budget::waitingBytes, times::oldestMillis);
    }

    private ReceiveWorker newWorker(String broker) {
        PollPacing pacing = new PollPacing(() -> ThreadLocalRandom.current().nextDouble());
        return new ReceiveWorker(
                broker, config.maxMessageNum(), this, budget, pacing, clock, metrics);
    }

    SourceMetrics metrics() {
        return metrics;
    }

    /** Connects without waiting; polls begin when the connection stands. Called once. */
    void start() {
        LiteSimpleConsumer made = factory.create(config);
        if (!own(made)) {
            made.close();
            return;
        }
        made.onBrokersChanged(this::brokersChanged);
        CompletableFuture<Void> started = made.start();
        started.whenComplete(
                (nothing, failure) -> {
                    if (failure != null) {
                        fail("", failure);
                    }
                });
        timer.after(START_LIMIT, () -> checkStarted(started));
        withdrawal.ifPresent(Withdrawal::start);
        idleEnd.ifPresent(
                end -> {
                    started.thenRun(end::joined);
                    lookForTheEnd(end);
                });
    }

    private synchronized boolean own(LiteSimpleConsumer made) {
        if (closed) {
            return false;
        }
        consumer = made;
        return true;
    }

    private void brokersChanged(Set<String> brokers) {
        try {
            workers.follow(brokers);
        } catch (RuntimeException | Error e) {
            fail("", e);
        }
    }

    private void checkStarted(CompletableFuture<Void> started) {
        if (!started.isDone()) {
            fail("", new TimeoutException("no answer for " + START_LIMIT.getSeconds() + " s"));
        }
    }

    /**
     * Takes everything that arrived; blocks until something does, {@link #wakeUp} is called or
     * receiving failed.
     *
     * @return empty only after a wake-up
     * @throws IOException receiving cannot go on; says where, and how to repair it
     */
    List<QueuedMessage> take() throws IOException {
        failures.raise();
        try {
            List<QueuedMessage> taken = queue.take();
            failures.raise();
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for messages");
        }
    }

    /** Wakes the fetcher when the reader has been idle for long enough, again and again. */
    private void lookForTheEnd(IdleEnd end) {
        Duration left = end.left();
        if (left.isZero()) {
            queue.wakeUp();
        }
        timer.after(left.isZero() ? LOOK_AGAIN : left, () -> lookForTheEnd(end));
    }

    /** True when a bounded reader has nothing more to expect. */
    boolean isOver() {
        return idleEnd.isPresent()
                && !paused
                && budget.waitingMessages() == 0
                && idleEnd.get().left().isZero();
    }

    /** Messages of this reader may come back until then; milliseconds since the epoch. */
    void busyUntil(long millis) {
        idleEnd.ifPresent(end -> end.busyUntil(millis));
    }

    /** Ends the present or else the next {@link #take}. */
    void wakeUp() {
        queue.wakeUp();
    }

    /** No new polls; those under way end by themselves, and the reader stays subscribed. */
    void pause() {
        paused = true;
    }

    /** Polls again. */
    void resume() {
        idleEnd.ifPresent(IdleEnd::joined);
        paused = false;
        workers.pollAll();
    }

    /** Acks messages at the server. */
    CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        return consumer.ack(entries);
    }

    @Override
    public CompletableFuture<List<LiteMessage>> receive(String broker, int messages) {
        CompletableFuture<List<LiteMessage>> answer =
                withdrawal.isPresent()
                        ? withdrawal.get().around(() -> poll(broker, messages))
                        : poll(broker, messages);
        idleEnd.ifPresent(end -> watch(end, answer));
        return answer;
    }

    /** Under the lock of the close: a poll that is late must not undo its withdrawal. */
    private synchronized CompletableFuture<List<LiteMessage>> poll(String broker, int messages) {
        return closed
                ? CompletableFuture.failedFuture(new IllegalStateException("closed"))
                : consumer.receive(broker, messages);
    }

    /** A poll that fails says nothing about what waits at the server. */
    private void watch(IdleEnd end, CompletableFuture<?> answer) {
        if (withdrawn) {
            withdrawn = false;
            end.joined();
        }
        answer.whenComplete(
                (messages, failure) -> {
                    if (failure != null) {
                        end.joined();
                    }
                });
    }

    /** Re-times a message, or with {@code suspend} its delivery, at the server. */
    CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend) {
        return consumer.changeInvisibleDuration(entry, invisibleDuration, suspend);
    }

    /** The server may have renewed though it does not say so, or says so after the emission. */
    @Override
    public CompletableFuture<String> renew(LiteMessage message, Duration duration) {
        CompletableFuture<String> answer =
                consumer.changeInvisibleDuration(entryOf(message), duration, false);
        answer.whenComplete((h, e) -> busyUntil(clock.absoluteTimeMillis() + duration.toMillis()));
        return answer;
    }

    private AckEntry entryOf(LiteMessage message) {
        return new AckEntry(
                config.mainTopic(),
                message.liteTopic(),
                message.messageId(),
                message.receiptHandle());
    }

    @Override
    public boolean isHeldBack() {
        return workers.areHeldBack();
    }

    @Override
    public void withdraw() {
        withdrawn = true;
        consumer.withdraw()
                .whenComplete(
                        (done, failure) -> {
                            if (failure != null) {
                                LOG.warn(
                                        "leaving the group is tried again: {}",
                                        String.valueOf(ReceiveFailure.causeOf(failure)));
                            }
                        });
    }

    @Override
    public boolean mayPoll() {
        return !paused && !closed;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public Duration invisibleDuration() {
        return config.invisibleDuration();
    }

    /** What comes after the close began is not emitted any more; the close looks for it. */
    @Override
    public void deliver(List<QueuedMessage> messages) {
        LiteMessage newest = messages.get(messages.size() - 1).message();
        metrics.received(
                messages.size(),
                redeliveries.received(messages),
                clock.absoluteTimeMillis() - newest.bornTimestamp());
        times.arrived(messages.size());
        idleEnd.ifPresent(IdleEnd::active);
        deliveries.add(messages);
        renewer.ifPresent(
                r ->
                        r.add(
                                messages.stream()
                                        .map(QueuedMessage::lease)
                                        .collect(Collectors.toList())));
        queue.add(messages);
    }

    @Override
    public void left(QueuedMessage message) {
        deliveries.left(message);
        times.left();
        renewer.ifPresent(r -> r.remove(message.lease()));
    }

    @Override
    public void fail(Throwable failure) {
        fail("", failure);
    }

    @Override
    public void fail(String broker, Throwable failure) {
        if (closed) {
            return;
        }
        failures.park(ReceiveFailure.of(config, broker, failure));
        queue.wakeUp();
    }

    @Override
    public void after(Duration delay, Runnable action) {
        timer.after(delay, action);
    }

    @Override
    public void pollAll() {
        workers.pollAll();
    }

    /**
     * Ends receiving: no new poll and no new renewal, wakes the fetcher, gives back what was not
     * emitted, leaves the group. At most about 3.5 s; whoever calls second returns at once.
     */
    @Override
    public void close() {
        LiteSimpleConsumer toClose;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            toClose = consumer;
        }
        queue.wakeUp();
        timer.close();
        renewer.ifPresent(LeaseRenewer::close);
        if (toClose != null) {
            if (config.waiting().releaseOnClose()) {
                new ReleaseOnClose(config, deliveries, metrics).run(toClose);
            }
            toClose.close();
            LOG.info("left group {} of topic {}", config.consumerGroup(), config.mainTopic());
        }
    }
}
