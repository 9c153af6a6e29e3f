/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Backoff;

/**
 * Notices quickly that a broker is back. After an outage of a minute its next poll may be half a
 * minute away, and until somebody subscribes anew a restarted broker knows no subscriber. So as
 * long as a broker is away, the route and the subscription are tried every 2 s, two small requests
 * per client, and whoever polls is told when they succeed.
 *
 * <p>A broker whose polls fail while route and subscription are fine is not away but unwell: it is
 * not watched, and the backoff of its polls stands. Used on the client's I/O thread only.
 */
final class OutageWatch {

    /** First and longest time between two looks. */
    static final Duration FIRST_LOOK = Duration.ofMillis(500);

    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** After this long the periods of route, subscription and polls have to do. */
    static final Duration LIMIT = Duration.ofMinutes(10);

    private final Loop loop;
    private final Host host;
    private final Backoff backoff;
    private final Map<String, Outage> outages = new HashMap<>();
    private Loop.Timer timer;
    private boolean looking;
    private boolean stopped;

    /**
     * @param backoff between the looks
     */
    OutageWatch(Loop loop, Host host, Backoff backoff) {
        this.loop = loop;
        this.host = host;
        this.backoff = backoff;
    }

    /** A poll at this broker failed. */
    void pollFailed(String broker) {
        if (stopped) {
            return;
        }
        outages.computeIfAbsent(broker, name -> new Outage(loop.nanoTime()));
        if (timer == null && !looking) {
            backoff.reset();
            lookLater();
        }
    }

    /** A poll at this broker succeeded. */
    void answered(String broker) {
        outages.remove(broker);
    }

    /** Looks no more. */
    void stop() {
        stopped = true;
        outages.clear();
        if (timer != null) {
            timer.cancel();
        }
    }

    private void lookLater() {
        timer = loop.schedule(this::look, backoff.next());
    }

    private void look() {
        timer = null;
        if (outages.isEmpty()) {
            return;
        }
        looking = true;
        host.reachableBrokers()
                .whenComplete(
                        (brokers, failure) -> {
                            looking = false;
                            looked(failure == null ? brokers : Collections.emptySet());
                        });
    }

    private void looked(Set<String> reachable) {
        Set<String> back = new TreeSet<>();
        Iterator<Map.Entry<String, Outage>> each = outages.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<String, Outage> entry = each.next();
            Outage outage = entry.getValue();
            if (reachable.contains(entry.getKey())) {
                each.remove();
                if (outage.seen) {
                    back.add(entry.getKey());
                }
            } else if (loop.nanoTime() - outage.since >= LIMIT.toNanos()) {
                each.remove();
            } else {
                outage.seen = true;
            }
        }
        if (!outages.isEmpty()) {
            lookLater();
        }
        if (!back.isEmpty()) {
            host.back(back);
        }
    }

    /** What the watch needs to know and whom it tells. */
    interface Host {

        /**
         * Reads the route and renews the subscription.
         *
         * @return the brokers in the route; fails if either does
         */
        CompletableFuture<Set<String>> reachableBrokers();

        /** These brokers were away and can be polled again. */
        void back(Set<String> brokers);
    }

    /** One broker that did not answer. */
    private static final class Outage {
        private final long since;
        private boolean seen;

        private Outage(long since) {
            this.since = since;
        }
    }
}
