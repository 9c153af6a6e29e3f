/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.util.Preconditions;

/**
 * A token bucket per lite topic: so many messages per second, and so many at once after a quiet
 * time. A message without a token is refused until there are tokens for a full delivery, or for the
 * burst if that is less, so a flood costs one deferral per delivery.
 *
 * <p>With the stream keyed by lite topic the rate is the rate of the lite topic. Otherwise each
 * subtask has a bucket of its own for it, and the rates add up.
 *
 * <p>The first message without a token is refused, mostly in the middle of a delivery, and its
 * deferral leaves when the messages before it are acked. Where the throttle cannot see those acks,
 * because they happen on another TaskManager, use {@link #wholeDeliveries()}.
 *
 * <p>A deferred lite topic comes back a little late; the tokens of that delay, at most two seconds'
 * worth, may be used beyond the burst within two seconds, so that the rate holds over time. After a
 * restart every bucket is full.
 *
 * <p>Memory: a bucket that would be full again is forgotten, so it grows with the lite topics that
 * had a message within the last {@code burst / rate} and two seconds, and ends at a bound (500,000
 * per subtask, some 100 MB) beyond which the bucket used longest ago is taken for full and the
 * counter {@code rocketmq.throttle.bucketsForgotten} rises.
 *
 * @param <T> type of the value; it does not matter here
 */
@PublicEvolving
public final class TokenBucketThrottlePolicy<T> implements MessageThrottlePolicy<T> {

    /** The most messages of one lite topic that the server delivers at once. */
    private static final int MAX_DELIVERY = 32;

    private static final int MAX_BUCKETS = 500_000;
    private static final Duration MAX_LATE = Duration.ofSeconds(2);
    private static final long serialVersionUID = 1L;

    private final double ratePerSecond;
    private final int burst;
    private final int maxBuckets;
    private final boolean wholeDeliveries;

    private transient TokenBucket.Limits limits;
    private transient BucketKeys keys;
    private transient LinkedHashMap<BucketKeys.Key, TokenBucket> buckets;
    private transient Counter forgotten;

    private TokenBucketThrottlePolicy(
            double ratePerSecond, int burst, int maxBuckets, boolean wholeDeliveries) {
        Preconditions.checkArgument(
                ratePerSecond > 0 && ratePerSecond < Double.POSITIVE_INFINITY,
                "rate per second: %s (expected: more than 0)",
                ratePerSecond);
        Preconditions.checkArgument(burst >= 1, "burst: %s (expected: at least 1)", burst);
        Preconditions.checkArgument(maxBuckets >= 1, "maxBuckets: %s", maxBuckets);
        this.ratePerSecond = ratePerSecond;
        this.burst = burst;
        this.maxBuckets = maxBuckets;
        this.wholeDeliveries = wholeDeliveries;
    }

    /**
     * The same rate and burst for every lite topic.
     *
     * @param ratePerSecond messages per second, more than 0; fractions allowed
     * @param burst messages at once after a quiet time, at least 1. Below 32 a flood costs more
     *     deferrals than it has to
     * @param <T> type of the value
     */
    public static <T> TokenBucketThrottlePolicy<T> of(double ratePerSecond, int burst) {
        return new TokenBucketThrottlePolicy<>(ratePerSecond, burst, MAX_BUCKETS, false);
    }

    /** As {@link #of}, with another bound of the memory. */
    static <T> TokenBucketThrottlePolicy<T> bounded(
            double ratePerSecond, int burst, int maxBuckets) {
        return new TokenBucketThrottlePolicy<>(ratePerSecond, burst, maxBuckets, false);
    }

    /**
     * The same bucket, but only the first message of a delivery is refused: a delivery that has
     * begun goes on as a whole, up to 31 messages beyond the tokens, and the next one waits until
     * that debt is paid. The rate is the same over time; at once come up to 31 more. Such a
     * deferral depends on no ack, so it leaves at once wherever the acks happen. The throttle has
     * to see the first message of each delivery: nothing may be filtered out between source and
     * throttle.
     */
    public TokenBucketThrottlePolicy<T> wholeDeliveries() {
        return new TokenBucketThrottlePolicy<>(ratePerSecond, burst, maxBuckets, true);
    }

    @Override
    public void open(RuntimeContext context) {
        start();
        context.getMetricGroup()
                .addGroup("rocketmq")
                .addGroup("throttle")
                .counter("bucketsForgotten", forgotten);
    }

    /** Begins with full buckets. */
    void start() {
        int maxDebt = wholeDeliveries ? MAX_DELIVERY - 1 : 0;
        limits = new TokenBucket.Limits(ratePerSecond, burst, maxDebt, MAX_LATE.toMillis());
        keys = new BucketKeys();
        buckets = new LinkedHashMap<>(16, 0.75f, true);
        forgotten = new SimpleCounter();
    }

    /** Not used: a bucket needs to know the lite topic and the time. */
    @Override
    public Optional<Duration> onMessage(T value) {
        throw new UnsupportedOperationException(
                "A token bucket judges with a context: call onMessage(value, context)");
    }

    @Override
    public Optional<Duration> onMessage(T value, ThrottleContext context) {
        long now = context.currentTimeMillis();
        TokenBucket bucket = bucketOf(context, now);
        bucket.refill(limits, now);
        if (bucket.tryTake()) {
            return Optional.empty();
        }
        if (wholeDeliveries && context.getIndexInDelivery() > 0) {
            bucket.takeAnyway();
            return Optional.empty();
        }
        double wanted = Math.min(burst, MAX_DELIVERY);
        return Optional.of(Duration.ofMillis(bucket.refuse(limits, wanted, now)));
    }

    int buckets() {
        return buckets.size();
    }

    long forgotten() {
        return forgotten.getCount();
    }

    private TokenBucket bucketOf(ThrottleContext context, long now) {
        BucketKeys.Key key = keys.of(context);
        TokenBucket bucket = buckets.get(key);
        if (bucket == null) {
            forgetFull(now);
            bucket = new TokenBucket(burst, now);
            buckets.put(key, bucket);
        }
        return bucket;
    }

    /**
     * Amortised: the buckets are in order of use, so the first that is not full ends the search.
     */
    private void forgetFull(long now) {
        Iterator<Map.Entry<BucketKeys.Key, TokenBucket>> oldest = buckets.entrySet().iterator();
        while (oldest.hasNext()) {
            TokenBucket bucket = oldest.next().getValue();
            boolean full = bucket.isFull(limits, now);
            if (!full && buckets.size() < maxBuckets) {
                return;
            }
            oldest.remove();
            if (!full) {
                forgotten.inc();
            }
        }
    }
}
