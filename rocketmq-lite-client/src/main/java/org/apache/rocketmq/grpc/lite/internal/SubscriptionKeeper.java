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
 * <p>Used on the client's I/O thread only; one call is in flight at a time over the channel in use.
 * What is left over one that was in use before is not waited for.
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
    private CompletableFuture<Void> inFlight;
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

    /**
     * From now on over this channel, beginning with a {@link #sync} at once, whatever is under way
     * over another one: who waits for that hears how this sync went.
     *
     * @param bound of this first call
     */
    CompletableFuture<Void> use(RpcChannel newChannel, Duration bound) {
        CompletableFuture<Void> left = inFlight;
        channel = newChannel;
        inFlight = null;
        CompletableFuture<Void> begun = sync(bound);
        if (left != null) {
            begun.whenComplete(
                    (done, error) -> {
                        if (error == null) {
                            left.complete(null);
                        } else {
                            left.completeExceptionally(Failures.of(error, newChannel.endpoint()));
                        }
                    });
        }
        return begun;
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
        return sync(timeout);
    }

    private CompletableFuture<Void> sync(Duration bound) {
        if (stopped || channel == null) {
            return CompletableFuture.failedFuture(Failures.closed(ErrorKind.TRANSIENT, name));
        }
        if (inFlight != null) {
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
                withdrawn ? calls.withdraw(used, bound) : calls.subscribe(used, bound);
        call.whenComplete((done, error) -> synced(used, begun, error));
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
        inFlight = call;
    }

    /**
     * Leaves and joins again at once: drops what the broker holds against a client that got nothing
     * for a while. To be used only when nothing waits, since that would be delayed.
     *
     * @return false if nothing was done because another call is under way
     */
    boolean refresh() {
        if (stopped || withdrawn || inFlight != null || channel == null) {
            return false;
        }
        CompletableFuture<Void> begun = new CompletableFuture<>();
        begin(begun);
        RpcChannel used = channel;
        calls.withdraw(used, timeout)
                .handle((done, error) -> rejoin(used))
                .thenCompose(subscribed -> subscribed)
                .whenComplete((done, error) -> synced(used, begun, error));
        return true;
    }

    /** A client that has left meanwhile, this channel or the group, must not join again. */
    private CompletableFuture<Void> rejoin(RpcChannel used) {
        return stopped || withdrawn || used != channel
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

    private void synced(RpcChannel used, CompletableFuture<Void> ended, Throwable error) {
        if (ended != inFlight) {
            // left behind by a new channel, which answers for it
            return;
        }
        inFlight = null;
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
