/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Backoff;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the wildcard subscription known to the brokers. They forget it after 3 minutes without a
 * sync, at once when the telemetry stream breaks, and when they restart, and say so in no answer: a
 * forgotten client just receives nothing. On request it keeps the client withdrawn instead.
 *
 * <p>Used on the client's I/O thread only; one call is in flight at a time.
 */
final class SubscriptionKeeper {

    static final Duration PERIOD = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(SubscriptionKeeper.class);

    private final Loop loop;
    private final LiteSubscriptionCalls calls;
    private final Duration timeout;
    private final Backoff backoff;
    private final WarnLimiter warnings;
    private final String name;
    private RpcChannel channel;
    private Loop.Timer timer;
    private boolean inFlight;
    private CompletableFuture<Void> current;
    private CompletableFuture<Void> following;
    private boolean stopped;
    private boolean withdrawn;

    /**
     * @param name topic and group, for messages
     */
    SubscriptionKeeper(
            Loop loop,
            LiteSubscriptionCalls calls,
            Duration timeout,
            Backoff backoff,
            String name) {
        this.loop = loop;
        this.calls = calls;
        this.timeout = timeout;
        this.backoff = backoff;
        this.warnings = new WarnLimiter(LOG, loop);
        this.name = name;
    }

    /** From now on over this channel, beginning with a {@link #sync} at once. */
    CompletableFuture<Void> use(RpcChannel newChannel) {
        channel = newChannel;
        return sync();
    }

    /** From now on over this channel, which has just subscribed. */
    void useSubscribed(RpcChannel newChannel) {
        channel = newChannel;
        if (withdrawn) {
            sync();
        } else {
            again(PERIOD);
        }
    }

    /**
     * Tells the brokers at once whether the client is a subscriber; while a call is under way,
     * right after it.
     *
     * @return how this sync, or the one that a call under way leads to, went; fails with {@link
     *     RpcException}, also when the client is not open
     */
    CompletableFuture<Void> sync() {
        if (stopped || channel == null) {
            return CompletableFuture.failedFuture(Failures.closed(ErrorKind.TRANSIENT, name));
        }
        if (inFlight) {
            if (following == null) {
                following = new CompletableFuture<>();
            }
            return following;
        }
        CompletableFuture<Void> begun = following == null ? new CompletableFuture<>() : following;
        following = null;
        begin(begun);
        RpcChannel used = channel;
        CompletableFuture<Void> call =
                withdrawn ? calls.withdraw(used, timeout) : calls.subscribe(used, timeout);
        call.whenComplete((done, error) -> synced(used, error));
        return begun;
    }

    /**
     * Withdraws, and stays so until {@link #join}.
     *
     * @return tells how the first attempt went; others follow if it failed
     */
    CompletableFuture<Void> withdraw() {
        withdrawn = true;
        return sync();
    }

    /**
     * Ends a withdrawal.
     *
     * @return false if there is none
     */
    boolean join() {
        if (!withdrawn || stopped) {
            return false;
        }
        withdrawn = false;
        sync();
        return true;
    }

    private void begin(CompletableFuture<Void> call) {
        cancelTimer();
        inFlight = true;
        current = call;
    }

    /**
     * Leaves and joins again at once: drops what the broker holds against a client that got nothing
     * for a while. To be used only when nothing waits, since that would be delayed.
     *
     * @return false if nothing was done because another call is under way
     */
    boolean refresh() {
        if (stopped || withdrawn || inFlight || channel == null) {
            return false;
        }
        begin(new CompletableFuture<>());
        RpcChannel used = channel;
        calls.withdraw(used, timeout)
                .handle((done, error) -> rejoin(used))
                .thenCompose(subscribed -> subscribed)
                .whenComplete((done, error) -> synced(used, error));
        return true;
    }

    /** A client that has begun to leave meanwhile must not be subscribed again. */
    private CompletableFuture<Void> rejoin(RpcChannel used) {
        return stopped || withdrawn
                ? CompletableFuture.completedFuture(null)
                : calls.subscribe(used, timeout);
    }

    /** Syncs no more and withdraws. Fails with {@link RpcException}. */
    CompletableFuture<Void> leave(RpcChannel last, Duration bound) {
        stop();
        return calls.withdraw(last, bound);
    }

    /** Syncs no more. */
    void stop() {
        stopped = true;
        cancelTimer();
        if (following != null) {
            following.completeExceptionally(Failures.closed(ErrorKind.TRANSIENT, name));
        }
    }

    private void synced(RpcChannel used, Throwable error) {
        inFlight = false;
        CompletableFuture<Void> ended = current;
        next(used, error);
        if (error == null) {
            ended.complete(null);
        } else {
            ended.completeExceptionally(Failures.of(error, used.endpoint()));
        }
    }

    private void next(RpcChannel used, Throwable error) {
        if (stopped) {
            return;
        }
        if (following != null || used != channel) {
            sync();
        } else if (error == null) {
            backoff.reset();
            if (!withdrawn) {
                again(PERIOD);
            }
        } else {
            warnings.warn(
                    "Subscription of "
                            + name
                            + " not renewed, trying again: "
                            + Failures.of(error, used.endpoint()).getMessage());
            Duration delay = backoff.next();
            again(delay.compareTo(PERIOD) < 0 ? delay : PERIOD);
        }
    }

    private void again(Duration delay) {
        cancelTimer();
        timer = loop.schedule(this::sync, delay);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
