/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts how often each message could not be read by this reader. The server's own count cannot
 * stand in for it: it says 1 again whenever a redelivery carries a new message.
 *
 * <p>Bounded: beyond the limit the message that failed longest ago is forgotten and starts anew.
 * Used by the task thread.
 */
final class FailedAttempts {

    private final Map<String, Integer> counts;

    /**
     * @param limit most messages to remember, at least 1
     */
    FailedAttempts(int limit) {
        counts =
                new LinkedHashMap<String, Integer>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
                        return size() > limit;
                    }
                };
    }

    /** One more attempt failed; returns how many did. */
    int failed(String messageId) {
        return counts.merge(messageId, 1, Integer::sum);
    }

    /** The message is done with. */
    void forget(String messageId) {
        counts.remove(messageId);
    }

    /** How many messages are remembered. */
    int size() {
        return counts.size();
    }
}
