/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/**
 * What the operators of one TaskManager with the same configuration share: one session per route,
 * one timer, one bound of what is in flight: its places are taken by all of their acks and
 * deferrals but those that are repeated and those that no task may wait for. Thread-safe; its lock
 * guards the sessions.
 */
final class AckCore {

    /**
     * How long the first session of a route may take to come to be. Its names are right, since a
     * message came with them, so it outlasts an outage, like one that once stood; the calls end
     * with their leases.
     */
    static final Duration START_PATIENCE = Duration.ofMinutes(5);

    /** Routes in use at a time; beyond that an idle one is closed. */
    static final int MAX_SESSIONS = 64;

    private final AckConfig config;
    private final AcknowledgerFactory factory;
    private final AckTimer timer;
    private final SequencerLimits limits;
    private final Semaphore places;
    private final Map<AckRoute, AckSession> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private final List<AckSession> ending = new ArrayList<>();
    private boolean closed;

    AckCore(AckConfig config, AcknowledgerFactory factory, AckTimer timer, SequencerLimits limits) {
        this.config = config;
        this.factory = factory;
        this.timer = timer;
        this.limits = limits;
        this.places = new Semaphore(config.maxInFlight(), true);
    }

    /** Milliseconds since the epoch. */
    long nowMillis() {
        return timer.nowMillis();
    }

    AckConfig config() {
        return config;
    }

    /**
     * A place in flight; waits for one, at most until a lease ends. Never waits in a continuation
     * of one of its futures, whose thread may be the one that would free a place.
     */
    Permit takePlace() throws InterruptedException {
        return Outbox.isInEffect() ? Permit.takeWithoutWaiting(places) : Permit.take(places);
    }

    /** The session of this handle's route, made on first use. */
    synchronized AckSession session(RocketMQReceiptHandle handle) {
        if (closed) {
            throw AckFailedException.ended("ack", handle, "the client was closed");
        }
        AckRoute route = AckRoute.of(handle);
        AckSession session = sessions.get(route);
        if (session == null) {
            session = open(route, handle);
            makeRoom();
            sessions.put(route, session);
        }
        return session;
    }

    private AckSession open(AckRoute route, RocketMQReceiptHandle handle) {
        LiteClientConfig client =
                config.client()
                        .toLiteClientConfig(
                                Endpoints.parse(handle.getEndpoint()), handle.getNamespace())
                        .withStartPatience(START_PATIENCE);
        String group = handle.getConsumerGroup();
        String topic = handle.getTopic();
        return new AckSession(
                route,
                config,
                limits,
                timer,
                () -> factory.create(client, group, topic),
                this::forget);
    }

    private void makeRoom() {
        if (sessions.size() < MAX_SESSIONS) {
            return;
        }
        for (AckSession session : new ArrayList<>(sessions.values())) {
            if (session.isIdle()) {
                sessions.remove(session.route());
                ending.removeIf(AckSession::isClosed);
                ending.add(session);
                session.beginClose();
                return;
            }
        }
        throw new IllegalStateException(
                "more than " + MAX_SESSIONS + " clusters, namespaces and groups acked at a time");
    }

    private synchronized void forget(AckSession dead) {
        if (sessions.remove(dead.route(), dead)) {
            ending.removeIf(AckSession::isClosed);
            ending.add(dead);
        }
    }

    private synchronized List<AckSession> all() {
        return new ArrayList<>(sessions.values());
    }

    /** The owner of these calls is at its end: what it holds back goes out. */
    void flush(AckStats owner) {
        all().forEach(session -> session.flush(owner));
    }

    /** The owner of these calls ends with its work undone: what it holds back is let go. */
    void letGo(AckStats owner) {
        all().forEach(session -> session.letGo(owner));
    }

    /** The lowest message of each delivery that waits or is parked for this owner. */
    List<RocketMQReceiptHandle> heldBy(AckStats owner) {
        List<RocketMQReceiptHandle> held = new ArrayList<>();
        all().forEach(session -> held.addAll(session.heldBy(owner)));
        return held;
    }

    /** A place in flight, beyond the bound if there is none. */
    Permit takePlaceWithoutWaiting() {
        return Permit.takeWithoutWaiting(places);
    }

    /** Sessions that stopped waiting for order. */
    long ordersGivenUp() {
        return all().stream().filter(AckSession::isOrderGivenUp).count();
    }

    /** Deliveries that the open sessions forgot because they knew too many. */
    long deliveriesForgotten() {
        return all().stream().mapToLong(AckSession::deliveriesForgotten).sum();
    }

    /** Fails what is left and closes everything, the sessions together in 2 s. Idempotent. */
    void close() {
        List<AckSession> toClose;
        synchronized (this) {
            closed = true;
            toClose = new ArrayList<>(sessions.values());
            toClose.addAll(ending);
            sessions.clear();
            ending.clear();
        }
        toClose.forEach(AckSession::beginClose);
        toClose.forEach(AckSession::close);
        timer.close();
        factory.close();
    }
}
