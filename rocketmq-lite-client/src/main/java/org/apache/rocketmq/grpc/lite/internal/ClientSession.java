/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.Backoff;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The standing relation of one client with the server: finds a proxy that answers, introduces the
 * client, keeps it known, and begins again at the next address when that breaks.
 *
 * <p>{@link #start}, {@link #onLoop} and {@link #close} may be called from any thread; everything
 * else belongs to the I/O thread.
 */
final class ClientSession implements Connection.Events {

    private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);

    private final LiteClientConfig config;
    private final SessionRole role;
    private final IoLoop loop;
    private final ClientAccess access;
    private final List<Endpoints.Address> addresses;
    private final ServerCapabilities capabilities;
    private final ReadyGate gate;
    private final WarnLimiter warnings;
    private final Patience patience;
    private final Backoff backoff =
            new Backoff(
                    Backoff.DEFAULT_FIRST,
                    Patience.LONGEST_PAUSE,
                    () -> ThreadLocalRandom.current().nextDouble());
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final RetiredConnections retired;
    private final SessionEnd end;

    private State state = State.NEW;
    private boolean established;
    private long startNanos;
    private int addressIndex;
    private Connection current;
    private RequestHeaders headers;
    private RequestHeaders lostHeaders;
    private RpcException lastFailure;
    private RpcException broken;
    private Loop.Timer timer;
    private Loop.Timer startTimer;

    ClientSession(LiteClientConfig config, SessionRole role, IoLoop loop) {
        this.config = config;
        this.role = role;
        this.loop = loop;
        this.access = new ClientAccess(config.credentials(), role.topic(), role.group(), loop);
        this.addresses = config.endpoints().addresses();
        this.capabilities = new ServerCapabilities(role.clientTypes());
        this.gate = new ReadyGate(loop, config.endpoints().toString());
        this.warnings = new WarnLimiter(LOG, loop);
        this.patience = new Patience(config);
        this.retired = new RetiredConnections(loop);
        this.end = new SessionEnd(loop, role, config.namespace());
    }

    /** Connects, with the first call; every call tells how that went. */
    CompletableFuture<Void> start() {
        return onLoop(
                future -> {
                    begin();
                    started.whenComplete(
                            (done, error) -> {
                                if (error == null) {
                                    future.complete(null);
                                } else {
                                    future.completeExceptionally(Failures.of(error, endpoint()));
                                }
                            });
                });
    }

    /** Runs a call on the I/O thread; the future given to it is the one returned. */
    <T> CompletableFuture<T> onLoop(Consumer<CompletableFuture<T>> call) {
        CompletableFuture<T> future = new CompletableFuture<>();
        try {
            loop.execute(
                    () -> {
                        guarded(() -> call.accept(future));
                        if (broken != null) {
                            future.completeExceptionally(broken);
                        }
                    });
        } catch (RejectedExecutionException e) {
            future.completeExceptionally(closedFailure(ErrorKind.FATAL));
        }
        return future;
    }

    /** The channel of the session, as soon as there is one. Fails with {@link RpcException}. */
    CompletableFuture<RpcChannel> ready(Duration bound) {
        return gate.pass(bound);
    }

    /** Whether there is a session right now. */
    boolean isReady() {
        return state == State.READY;
    }

    /** The address in use or tried next, for messages. */
    String endpoint() {
        return addresses.get(addressIndex).toString();
    }

    /** A call over this channel failed: maybe the server has forgotten the client. */
    void suspect(RpcChannel channel, RpcException failure) {
        if (state != State.READY || current.channel() != channel) {
            return;
        }
        if (ErrorClassifier.saysForgotten(failure)) {
            reconnect(failure);
        } else if (failure.code().equals("INTERNAL_SERVER_ERROR")) {
            current.check();
        }
    }

    /** Takes leave and closes. @return completes when nothing but the I/O thread is left to end */
    CompletableFuture<Void> close() {
        if (loop.shutdownIfUnused()) {
            end.complete();
            return end.future();
        }
        try {
            loop.execute(() -> guarded(this::leave));
        } catch (RejectedExecutionException e) {
            end.complete();
        }
        return end.future();
    }

    @Override
    public void alive() {
        backoff.reset();
    }

    @Override
    public void lost(Connection connection, RpcException why) {
        if (connection != current) {
            return;
        }
        guarded(
                () -> {
                    if (state == State.READY) {
                        reconnect(why);
                    } else {
                        failed(addresses.get(addressIndex), why);
                    }
                });
    }

    @Override
    public void reconnectAsked(Connection connection) {
        if (connection == current && state == State.READY) {
            reconnect(
                    new RpcException(
                            ErrorKind.TRANSIENT, "RECONNECT", "", endpoint(), "asked to", null));
        }
    }

    private void begin() {
        if (state != State.NEW) {
            return;
        }
        state = State.CONNECTING;
        startTimer = loop.schedule(() -> guarded(this::startTimedOut), patience.start());
        startNanos = loop.nanoTime();
        connect();
    }

    private void connect() {
        Endpoints.Address address = addresses.get(addressIndex);
        ClientType type = capabilities.typeFor(address);
        headers = new RequestHeaders(ClientIds.next(role.name()), config.namespace());
        RpcChannel channel;
        try {
            channel = RpcChannel.open(address, loop, headers, access, () -> established);
        } catch (RuntimeException e) {
            notConnectable(address, e);
            return;
        }
        Duration timeout = patience.step(established);
        Connection connection = new Connection(channel, this);
        current = connection;
        CompletableFuture<Void> prepared =
                established
                        ? CompletableFuture.completedFuture(null)
                        : role.prepare(channel, timeout);
        prepared.thenCompose(done -> connection.introduce(role, type, address, timeout, loop))
                .thenCompose(done -> role.opened(channel, !established, timeout))
                .thenCompose(done -> bury(channel, timeout))
                .whenComplete(
                        (done, error) -> {
                            if (connection != current) {
                                return;
                            }
                            guarded(
                                    () -> {
                                        if (error == null) {
                                            opened(connection, type);
                                        } else {
                                            failed(address, Failures.of(error, address.toString()));
                                        }
                                    });
                        });
    }

    /**
     * Every session has a client id of its own. Under the old one, a broker of server 5.5.0 still
     * holds the long polls of the lost connection and gives messages to them, and the proxy, when
     * it notices the loss, withdraws the subscription of that id. So the old id is taken back, and
     * only after the new one has subscribed: what the broker queued for the old one meanwhile then
     * goes to the new one at once; with nobody there it would wait for 5 to 15 s.
     */
    private CompletableFuture<Void> bury(RpcChannel channel, Duration timeout) {
        if (lostHeaders == null) {
            return CompletableFuture.completedFuture(null);
        }
        RpcChannel ghost = channel.as(lostHeaders);
        return role.bury(ghost, timeout)
                .handle((done, error) -> end.sayGoodbye(ghost))
                .thenCompose(goodbye -> goodbye)
                .handle(
                        (done, error) -> {
                            lostHeaders = null;
                            return null;
                        });
    }

    /** An address that gRPC cannot make a channel for, such as an unknown IPv6 scope. */
    private void notConnectable(Endpoints.Address address, RuntimeException cause) {
        lastFailure =
                new RpcException(
                        ErrorKind.TRANSIENT,
                        "UNAVAILABLE",
                        "",
                        address.toString(),
                        "no channel to " + address + ": " + cause.getMessage(),
                        cause);
        tryLater();
    }

    private void opened(Connection connection, ClientType type) {
        cancel(startTimer);
        LOG.info(
                "{} session with {} for topic {} open ({}, {})",
                role.name(),
                endpoint(),
                role.topic(),
                type,
                established ? "again" : "first");
        established = true;
        state = State.READY;
        connection.keepAlive(role, type, config.namespace(), config.requestTimeout(), loop);
        started.complete(null);
        gate.open(connection.channel());
    }

    private void failed(Endpoints.Address address, RpcException why) {
        retired.close(current);
        current = null;
        if (capabilities.tryNextType(address, why)) {
            LOG.info("{} does not take the client type, trying the next", address);
            connect();
            return;
        }
        boolean fatal = why.kind() == ErrorKind.FATAL || ServerCapabilities.isTypeRefusal(why);
        Duration sinceStart = Duration.ofNanos(loop.nanoTime() - startNanos);
        if (!established && fatal && !patience.isWorthAnotherTry(why, sinceStart)) {
            failStart(StartHints.refused(role, config.endpoints(), why));
            return;
        }
        if (established && fatal) {
            gate.refuse(why);
        }
        lastFailure = why;
        if (established || patience.outlastsAnOutage()) {
            warnings.warn("No " + role.name() + " session: " + why.getMessage());
        }
        tryLater();
    }

    private void reconnect(RpcException why) {
        warnings.warn(role.name() + " session lost, connecting again: " + why.getMessage());
        state = State.CONNECTING;
        gate.close();
        lostHeaders = headers;
        retired.add(current);
        current = null;
        tryLater();
    }

    private void tryLater() {
        addressIndex = (addressIndex + 1) % addresses.size();
        timer = loop.schedule(() -> guarded(this::connect), backoff.next());
    }

    /**
     * Runs a step; whatever it throws is a defect of this client or of its class path and ends the
     * session, so that nobody waits for a step that will never come.
     */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            LOG.error("{} session with {} ends", role.name(), endpoint(), e);
            if (broken == null) {
                String text = "RocketMQ lite " + role.name() + " broken: " + e;
                broken =
                        new RpcException(ErrorKind.FATAL, "CLIENT_BROKEN", "", endpoint(), text, e);
                failStart(broken);
            }
        }
    }

    private void startTimedOut() {
        if (state == State.CONNECTING && !established) {
            failStart(StartHints.neverConnected(role, config, lastFailure));
        }
    }

    private void failStart(RpcException why) {
        gate.refuse(why);
        started.completeExceptionally(why);
        if (state != State.ENDED) {
            finish(false);
        }
    }

    private void leave() {
        if (state == State.ENDED) {
            return;
        }
        gate.refuse(closedFailure(ErrorKind.FATAL));
        started.completeExceptionally(closedFailure(ErrorKind.FATAL));
        finish(state == State.READY);
    }

    private void finish(boolean polite) {
        state = State.ENDED;
        cancel(timer);
        cancel(startTimer);
        Connection last = current;
        current = null;
        end.run(last, polite, retired.all());
    }

    private RpcException closedFailure(ErrorKind kind) {
        return Failures.closed(kind, config.endpoints().toString());
    }

    private static void cancel(Loop.Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Where the session stands. */
    private enum State {
        NEW,
        CONNECTING,
        READY,
        ENDED
    }
}
