/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The deliveries of one reader that did not leave it entirely, wherever they wait: in our queue, in
 * Flink's, or held back by the emitter. Bounded like the messages that wait. Thread-safe: the
 * client's I/O thread adds, the task thread removes, the closing thread takes what is left.
 */
final class WaitingDeliveries {

    private final Set<QueuedDelivery> deliveries =
            Collections.newSetFromMap(new IdentityHashMap<>());

    /** Notes the deliveries of one answer. */
    synchronized void add(List<QueuedMessage> answer) {
        for (QueuedMessage message : answer) {
            if (message.isFirst()) {
                deliveries.add(message.delivery());
            }
        }
    }

    /** A message left the reader; the last one of a delivery takes it along. */
    synchronized void left(QueuedMessage message) {
        if (message.isLast()) {
            deliveries.remove(message.delivery());
        }
    }

    /** Takes, for release, those of which nothing left the reader. */
    List<QueuedDelivery> takeUntouched() {
        List<QueuedDelivery> untouched;
        synchronized (this) {
            untouched = new ArrayList<>(deliveries);
            deliveries.clear();
        }
        untouched.removeIf(delivery -> !delivery.release());
        return untouched;
    }

    /** Deliveries that are noted. */
    synchronized int size() {
        return deliveries.size();
    }
}
