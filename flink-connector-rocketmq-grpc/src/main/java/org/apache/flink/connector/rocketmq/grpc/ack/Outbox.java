/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a section under the session's lock wants done outside of it: requests to start and futures
 * to complete, in the order they were decided.
 *
 * <p>Filled under the lock, drained by whichever thread leaves the lock; one at a time drains, so
 * requests leave in order and a client that answers at once causes no recursion. Holds no more than
 * what the bounded calls of the session cause.
 *
 * <p>What users chain to their futures runs in here. If that calls the client again it must not
 * wait for a place, since it may stand on the thread that would free one: {@link #isInEffect()}
 * tells.
 */
final class Outbox {

    private static final ThreadLocal<Boolean> IN_EFFECT = new ThreadLocal<>();

    private final Queue<Runnable> effects = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();

    void add(Runnable effect) {
        effects.add(effect);
    }

    /** True if the calling thread runs an effect of some session. */
    static boolean isInEffect() {
        return IN_EFFECT.get() != null;
    }

    void drain() {
        while (!effects.isEmpty() && draining.compareAndSet(false, true)) {
            boolean nested = isInEffect();
            IN_EFFECT.set(Boolean.TRUE);
            try {
                Runnable effect = effects.poll();
                while (effect != null) {
                    effect.run();
                    effect = effects.poll();
                }
            } finally {
                draining.set(false);
                if (!nested) {
                    IN_EFFECT.remove();
                }
            }
        }
    }
}
