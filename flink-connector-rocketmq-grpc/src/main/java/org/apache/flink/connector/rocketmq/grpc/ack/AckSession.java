/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that is acked and deferred at one route: puts it in order, sends it, repeats it.
 *
 * <p>Any thread may call; all state is guarded by the lock of the {@link SessionLoop}. A session
 * whose connection can never stand dies: every call fails, and its owner makes another one for the
 * next.
 */
final class AckSession implements SequencerOutlet, ChangeSender.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(AckSession.class);

    private final AckRoute route;
    private final SessionLoop loop;
    private final AckTransport transport;
    private final OrderPolicy order;
    private final AckSequencer sequencer;
    private final AckSender acks;
    private final ChangeSender changes;
    private final Consumer<AckSession> onDeath;
    private final Set<PendingCall> calls = Collections.newSetFromMap(new IdentityHashMap<>());
    private Function<RocketMQReceiptHandle, AckFailedException> dead;
    private long wakesAt = Long.MAX_VALUE;
    private Runnable cancelWake = () -> {};

    /**
     * @param factory makes the connection, without connecting
     * @param onDeath hears once that the session takes no calls any more
     */
    AckSession(
            AckRoute route,
            AckConfig config,
            SequencerLimits limits,
            AckTimer timer,
            Supplier<LiteAcknowledger> factory,
            Consumer<AckSession> onDeath) {
        this.route = route;
        this.onDeath = onDeath;
        this.loop = new SessionLoop(timer, this::atEndOfSection);
        this.transport = new AckTransport(factory, this::startFailed);
        FailureSorter failures = new FailureSorter(timer, route.toString());
        this.order = new OrderPolicy(config.order(), config.orderTimeout(), route.toString());
        this.sequencer = new AckSequencer(order, limits, this);
        Semaphore repeats = new Semaphore(limits.maxRepeating());
        this.acks = new AckSender(loop, transport, failures, repeats);
        this.changes = new ChangeSender(loop, transport, failures, repeats, this);
    }

    /** Acks; the permit is given back when the call is no longer in flight. */
    CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle, AckStats stats, Permit permit) {
        AckCall call = new AckCall(handle, stats, permit);
        stats.asked(handle.getLeaseEndMillis() - loop.now());
        enter(call, () -> sequencer.ack(handle, call, loop.now()));
        return call.future();
    }

    /** Defers; the permit is given back when the call is no longer in flight. */
    CompletableFuture<AckOutcome> defer(
            RocketMQReceiptHandle handle, Duration duration, AckStats stats, Permit permit) {
        AckCall call = new AckCall(handle, stats, permit);
        enter(call, () -> sequencer.defer(handle, duration.toMillis(), call, loop.now()));
        return call.future();
    }

    /** Extends; the permit is given back at the end of the call. */
    CompletableFuture<RocketMQReceiptHandle> extend(
            RocketMQReceiptHandle handle, Duration duration, AckStats stats, Permit permit) {
        ExtensionCall call = new ExtensionCall(handle, stats, permit);
        enter(
                call,
                () -> {
                    if (letsGo(call)) {
                        extended(call, handle);
                    } else {
                        changes.send(call, duration);
                    }
                });
        return call.future();
    }

    private void enter(PendingCall call, Runnable section) {
        loop.run(
                () -> {
                    if (dead != null) {
                        loop.effect(() -> call.fail(dead.apply(call.handle())));
                        return;
                    }
                    calls.add(call);
                    section.run();
                });
    }

    private void atEndOfSection() {
        acks.startRequests();
        long next = sequencer.nextCheck();
        if (next < wakesAt) {
            cancelWake.run();
            wakesAt = next;
            cancelWake = loop.later(Math.max(0, next - loop.now()), this::wake);
        }
    }

    private void wake() {
        wakesAt = Long.MAX_VALUE;
        if (dead == null) {
            sequencer.onTime(loop.now());
        }
    }

    /** The owner of these calls is at its end: what it holds back goes out. */
    void flush(AckStats owner) {
        loop.run(() -> sequencer.flush(owner));
    }

    /** The owner of these calls ends with its work undone: what it holds back is let go. */
    void letGo(AckStats owner) {
        loop.run(() -> sequencer.letGo(owner));
    }

    /** Makes the delivery of an unfinished message visible at once. */
    CompletableFuture<AckOutcome> makeVisible(
            RocketMQReceiptHandle handle, AckStats stats, Permit permit) {
        AckCall call = new AckCall(handle, stats, permit);
        enter(call, () -> sequencer.makeVisible(handle, call, loop.now()));
        return call.future();
    }

    /** The lowest message of each delivery that waits or is parked for this owner. */
    List<RocketMQReceiptHandle> heldBy(AckStats owner) {
        List<RocketMQReceiptHandle> held = new ArrayList<>();
        loop.run(() -> held.addAll(sequencer.heldBy(owner)));
        return held;
    }

    @Override
    public void send(EntryGroup group) {
        acks.send(group);
    }

    @Override
    public void send(Deferral deferral) {
        changes.send(deferral);
    }

    @Override
    public void finish(AckCall call, AckOutcome outcome) {
        calls.remove(call);
        loop.effect(() -> call.finish(outcome));
    }

    @Override
    public void fail(AckCall call, AckFailedException failure) {
        calls.remove(call);
        loop.effect(() -> call.fail(failure));
    }

    @Override
    public void deferred(Deferral deferral, AckOutcome outcome) {
        sequencer.answered(deferral);
        finish(deferral.call(), outcome);
    }

    @Override
    public void deferralFailed(Deferral deferral, AckFailedException failure) {
        sequencer.answered(deferral);
        fail(deferral.call(), failure);
    }

    @Override
    public boolean letsGo(ExtensionCall call) {
        return sequencer.letsGo(call.handle());
    }

    @Override
    public void extended(ExtensionCall call, RocketMQReceiptHandle renewed) {
        calls.remove(call);
        sequencer.extended(renewed);
        loop.effect(() -> call.finish(renewed));
    }

    @Override
    public void extensionFailed(ExtensionCall call, AckFailedException failure) {
        calls.remove(call);
        loop.effect(() -> call.fail(failure));
    }

    private void startFailed(Throwable error) {
        boolean transientError =
                error instanceof RpcException
                        && ((RpcException) error).kind() == ErrorKind.TRANSIENT;
        if (transientError) {
            LOG.warn("{}: the acknowledging session did not start, trying again", route, error);
            return;
        }
        die(handle -> AckFailedException.of("acknowledging session", handle, error));
        transport.beginClose();
    }

    private void die(Function<RocketMQReceiptHandle, AckFailedException> reason) {
        loop.run(
                () -> {
                    if (dead != null) {
                        return;
                    }
                    dead = reason;
                    acks.clear();
                    sequencer.clear();
                    for (PendingCall call : new ArrayList<>(calls)) {
                        loop.effect(() -> call.fail(reason.apply(call.handle())));
                    }
                    calls.clear();
                    loop.effect(() -> onDeath.accept(this));
                });
    }

    /** True if no call is without its end. */
    boolean isIdle() {
        return loop.ask(calls::isEmpty);
    }

    /** Number of deliveries the session remembers. */
    int deliveriesKnown() {
        return sequencer.size();
    }

    /** Number of deliveries it forgot because it knew too many. */
    long deliveriesForgotten() {
        return sequencer.forgotten();
    }

    /** True if the session stopped waiting for order. */
    boolean isOrderGivenUp() {
        return order.isGivenUp();
    }

    /** Fails what is left and closes the connection in the background. Idempotent. */
    void beginClose() {
        die(handle -> AckFailedException.ended("ack", handle, "the client was closed"));
        transport.beginClose();
    }

    /** The same, and waits for the end, at most 2 s from the beginning. */
    void close() {
        beginClose();
        transport.close();
    }

    /** True if a close that was begun is done. */
    boolean isClosed() {
        return transport.isClosed();
    }

    AckRoute route() {
        return route;
    }
}
