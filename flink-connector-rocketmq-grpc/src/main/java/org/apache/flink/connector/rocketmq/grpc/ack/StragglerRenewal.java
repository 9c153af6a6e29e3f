/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;

/**
 * Extends the leases of pending handles that would end before their checkpoint, and of no others: a
 * lease is extended when a third of it, and at least three seconds, is left. Bounded in rate, in
 * how many are under way at a route, so that one that is away does not keep the others from it,
 * and, for each handle, in total. For the task thread; threads of the client only count what ended.
 *
 * <p>The handle does not say how long its lease was; what is left of it on arrival, at most, tells.
 * It compares the clock of the machine that received the message with this one's: a machine whose
 * clock is further behind than the margin extends too late.
 */
final class StragglerRenewal {

    /** Receipts whose extension one look begins; five looks a second make 250. */
    static final int PER_LOOK = 50;

    /** Extensions under way for one cluster, namespace and group; more wait for a later look. */
    static final int MAX_UNDER_WAY = 1_024;

    /** How long a handle is extended at most, from its arrival. */
    static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private static final long SHORTEST_LEASE_MILLIS = 10_000;
    private static final long LONGEST_LEASE_MILLIS = Duration.ofHours(12).toMillis();
    private static final long SHORTEST_AHEAD_MILLIS = 3_000;

    private final BiFunction<
                    RocketMQReceiptHandle, Duration, CompletableFuture<RocketMQReceiptHandle>>
            extend;
    private final Counter started;
    private final Map<AckRoute, Integer> underWay = new ConcurrentHashMap<>();
    private long leaseMillis = SHORTEST_LEASE_MILLIS;

    /**
     * @param extend extends a lease
     * @param started counts the extensions
     */
    StragglerRenewal(
            BiFunction<RocketMQReceiptHandle, Duration, CompletableFuture<RocketMQReceiptHandle>>
                    extend,
            Counter started) {
        this.extend = extend;
        this.started = started;
    }

    /** A handle arrived. */
    void observe(RocketMQReceiptHandle handle, long nowMillis) {
        long left = Math.min(LONGEST_LEASE_MILLIS, handle.getLeaseEndMillis() - nowMillis);
        leaseMillis = Math.max(leaseMillis, left);
    }

    /** The longest lease seen. */
    Duration lease() {
        return Duration.ofMillis(leaseMillis);
    }

    /** Extends what is due, the oldest first. */
    void renewDue(Iterable<PendingHandle> waiting, long nowMillis) {
        long due = nowMillis + Math.max(SHORTEST_AHEAD_MILLIS, leaseMillis / 3);
        int left = PER_LOOK;
        for (PendingHandle pending : waiting) {
            if (left > 0
                    && pending.handle().getLeaseEndMillis() <= due
                    && isHopeful(pending, nowMillis)
                    && hasRoom(AckRoute.of(pending.handle()))) {
                pending.renews(begin(pending.handle()));
                started.inc();
                left -= 1 + pending.handle().getExtraReceipts().size();
            }
        }
    }

    private boolean hasRoom(AckRoute route) {
        return underWay.getOrDefault(route, 0) < MAX_UNDER_WAY;
    }

    private CompletableFuture<RocketMQReceiptHandle> begin(RocketMQReceiptHandle handle) {
        AckRoute route = AckRoute.of(handle);
        CompletableFuture<RocketMQReceiptHandle> extension = extend.apply(handle, lease());
        underWay.merge(route, 1, Integer::sum);
        extension.whenComplete(
                (renewed, failure) ->
                        underWay.computeIfPresent(
                                route, (r, count) -> count > 1 ? count - 1 : null));
        return extension;
    }

    private static boolean isHopeful(PendingHandle pending, long nowMillis) {
        return pending.isRenewable() && nowMillis - pending.sinceMillis() < LONGEST_WAIT.toMillis();
    }
}
