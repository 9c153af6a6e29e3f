/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.Backoff;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes a session that of a receiving consumer: the route, the subscription and the polls, and
 * the timers that keep them fresh.
 *
 * <p>Used on the client's I/O thread, except where said.
 */
final class ConsumerRole implements SessionRole, Receiver.Observer, OutageWatch.Host {

    static final Duration ROUTE_PERIOD = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(ConsumerRole.class);
    private static final Duration IDLE_CHECK_PERIOD = Duration.ofSeconds(1);
    private static final Duration MAX_BURIAL = Duration.ofSeconds(1);
    private static final Duration MAX_WITHDRAWAL = Duration.ofMillis(400);
    private static final Duration GRACE = Duration.ofMillis(300);
    private static final Duration MAX_RELEASE = Duration.ofMillis(400);

    private final LiteClientConfig config;
    private final LiteSubscription subscription;
    private final Loop loop;
    private final RouteCache route;
    private final LiteSubscriptionCalls calls;
    private final SubscriptionKeeper keeper;
    private final IdleRefresh idle;
    private final OutageWatch outages;
    private final WarnLimiter warnings;
    private ClientSession session;
    private Receiver receiver;
    private Consumer<Set<String>> brokersListener = names -> {};
    private boolean begun;
    private long withdrawals;
    private boolean leaving;

    ConsumerRole(LiteClientConfig config, LiteSubscription subscription, Loop loop) {
        this.config = config;
        this.subscription = subscription;
        this.loop = loop;
        String namespace = config.namespace();
        Duration timeout = config.requestTimeout();
        this.route = new RouteCache(namespace, subscription.topic(), config.endpoints());
        this.calls =
                new GrpcSubscriptionCalls(namespace, subscription.topic(), subscription.group());
        this.keeper =
                new SubscriptionKeeper(
                        loop, calls, timeout, new Backoff(), subscription.toString());
        this.idle =
                new IdleRefresh(loop.nanoTime(), () -> ThreadLocalRandom.current().nextDouble());
        this.outages =
                new OutageWatch(
                        loop,
                        this,
                        new Backoff(
                                OutageWatch.FIRST_LOOK,
                                OutageWatch.LONGEST_PAUSE,
                                () -> ThreadLocalRandom.current().nextDouble()));
        this.warnings = new WarnLimiter(LOG, loop);
    }

    /** Ties the parts together; called once, before anything else. */
    void attach(ClientSession newSession, Settlement settlement) {
        session = newSession;
        receiver = new Receiver(config, subscription, loop, settlement, this);
    }

    /** The route; its names may be read from any thread. */
    RouteCache route() {
        return route;
    }

    /** What a poll that is asked for now has to name when it is sent. */
    long withdrawals() {
        return withdrawals;
    }

    /**
     * Polls, and joins again if the subscription was withdrawn before the poll was asked for: one
     * that waited for a connection meanwhile must not undo a withdrawal.
     *
     * @param askedAfter {@link #withdrawals} when it was asked for
     */
    void poll(
            RpcChannel channel,
            String broker,
            int maxMessages,
            long askedAfter,
            CompletableFuture<List<LiteMessage>> result) {
        if (askedAfter == withdrawals && keeper.join()) {
            idle.joined(loop.nanoTime());
        }
        receiver.poll(channel, broker, maxMessages, result);
    }

    /** Withdraws the subscription until the next poll. Fails with {@link RpcException}. */
    CompletableFuture<Void> withdraw() {
        withdrawals++;
        return keeper.withdraw();
    }

    /** Registers who hears of the brokers, not before the start is complete. */
    void onBrokersChanged(Consumer<Set<String>> listener) {
        brokersListener = listener;
        if (session.isReady()) {
            route.onChange(listener);
        }
    }

    @Override
    public String name() {
        return "consumer";
    }

    @Override
    public String topic() {
        return subscription.topic();
    }

    @Override
    public String group() {
        return subscription.group();
    }

    @Override
    public List<ClientType> clientTypes() {
        return ConsumerSettings.TYPES;
    }

    @Override
    public Settings settings(ClientType type, Endpoints.Address address) {
        return ConsumerSettings.create(
                type,
                address,
                ConsumerSettings.subscription(
                        config.namespace(),
                        subscription.topic(),
                        subscription.group(),
                        subscription.awaitDuration()),
                config.requestTimeout());
    }

    @Override
    public CompletableFuture<Void> prepare(RpcChannel channel, Duration timeout) {
        return route.refresh(channel, timeout).thenAccept(more -> {});
    }

    @Override
    public CompletableFuture<Void> opened(RpcChannel channel, boolean first, Duration timeout) {
        if (!first) {
            // the keeper goes on trying if it fails or takes long
            return atMost(Patience.LONGEST_STEP, keeper.use(channel, timeout))
                    .thenAccept(synced -> reopened());
        }
        WildcardCheck check = new WildcardCheck(calls, timeout);
        return calls.subscribe(channel, timeout)
                .thenCompose(subscribed -> check.run(channel))
                .thenAccept(wildcard -> begin(channel));
    }

    private void reopened() {
        idle.joined(loop.nanoTime());
        loop.execute(route::tellAgain);
    }

    @Override
    public CompletableFuture<Void> bury(RpcChannel ghost, Duration timeout) {
        // under the lost id they would wait in vain; nobody can poll anew before the session is
        // open
        receiver.cancelPolls();
        return atMost(MAX_BURIAL, calls.withdraw(ghost, timeout));
    }

    @Override
    public CompletableFuture<Void> leave(RpcChannel channel) {
        leaving = true;
        outages.stop();
        CompletableFuture<Void> drained = receiver.beginClose();
        return keeper.leave(channel, MAX_WITHDRAWAL)
                .handle((done, error) -> atMost(GRACE, drained))
                .thenCompose(grace -> grace)
                .thenAccept(grace -> receiver.cancelPolls())
                .thenCompose(cancelled -> atMost(MAX_RELEASE, drained));
    }

    @Override
    public void pollBegan(String broker) {
        idle.pollBegan(broker, loop.nanoTime());
    }

    @Override
    public void pollEnded(String broker, boolean withMessages) {
        idle.pollEnded(broker, loop.nanoTime(), withMessages);
    }

    @Override
    public void pollFailed(String broker, RpcChannel channel, RpcException failure) {
        session.suspect(channel, failure);
        outages.pollFailed(broker);
    }

    @Override
    public void brokerAnswersAgain(String broker) {
        LOG.info("Broker {} answers again, renewing {}", broker, subscription);
        outages.answered(broker);
        keeper.sync();
    }

    @Override
    public CompletableFuture<Set<String>> reachableBrokers() {
        Duration timeout = config.requestTimeout();
        return session.ready(timeout)
                .thenCompose(channel -> route.refresh(channel, timeout))
                .thenCompose(more -> keeper.sync())
                .thenApply(synced -> route.listed());
    }

    @Override
    public void back(Set<String> brokers) {
        LOG.info("Brokers {} are back, {} is renewed", brokers, subscription);
        route.tellAgain();
    }

    private void begin(RpcChannel channel) {
        keeper.useSubscribed(channel);
        idle.joined(loop.nanoTime());
        if (begun) {
            return;
        }
        begun = true;
        loop.schedule(this::refreshRoute, ROUTE_PERIOD);
        loop.schedule(this::checkIdle, IDLE_CHECK_PERIOD);
        loop.execute(() -> route.onChange(brokersListener));
    }

    private void refreshRoute() {
        if (leaving) {
            return;
        }
        loop.schedule(this::refreshRoute, ROUTE_PERIOD);
        session.ready(config.requestTimeout())
                .thenCompose(channel -> route.refresh(channel, config.requestTimeout()))
                .whenComplete(
                        (more, error) -> {
                            if (error != null) {
                                routeFailed(Failures.of(error, session.endpoint()));
                            } else if (more) {
                                keeper.sync();
                            }
                        });
    }

    private void routeFailed(RpcException failure) {
        if (!leaving) {
            warnings.warn("Route not renewed, going on with the old one: " + failure.getMessage());
        }
    }

    private void checkIdle() {
        if (leaving) {
            return;
        }
        loop.schedule(this::checkIdle, IDLE_CHECK_PERIOD);
        if (session.isReady() && idle.isDue(loop.nanoTime()) && keeper.refresh()) {
            LOG.debug("Nothing for a while, joining anew: {}", subscription);
            idle.joined(loop.nanoTime());
        }
    }

    /** Completes when the future does, at the latest after the bound. */
    private CompletableFuture<Void> atMost(Duration bound, CompletableFuture<Void> future) {
        CompletableFuture<Void> bounded = new CompletableFuture<>();
        Loop.Timer limit = loop.schedule(() -> bounded.complete(null), bound);
        future.whenComplete(
                (done, error) -> {
                    limit.cancel();
                    bounded.complete(null);
                });
        return bounded;
    }
}
