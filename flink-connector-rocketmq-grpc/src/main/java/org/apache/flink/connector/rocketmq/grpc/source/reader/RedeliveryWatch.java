/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.clock.Clock;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts redeliveries and warns, once, when most of what comes was delivered before: the sign of a
 * job in which nothing acknowledges.
 *
 * <p>A message is a redelivery if the server says so or this reader saw it among the last {@value
 * #MOST_IDS}; the server alone says 1 again whenever a redelivery carries a new message. Called on
 * the client's I/O thread.
 */
final class RedeliveryWatch {

    static final int MOST_IDS = 16_384;

    private static final Logger LOG = LoggerFactory.getLogger(RedeliveryWatch.class);
    private static final int LEAST_MESSAGES = 20;
    private static final int LEASES_PER_WINDOW = 3;

    private final Clock clock;
    private final long windowMillis;
    private final Map<String, Boolean> seen =
            new LinkedHashMap<String, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > MOST_IDS;
                }
            };

    private long windowBegun;
    private long received;
    private long redelivered;
    private boolean warned;

    /**
     * @param invisibleDuration lease of a delivery; a window is three of them
     */
    RedeliveryWatch(Clock clock, Duration invisibleDuration) {
        this.clock = clock;
        this.windowMillis = LEASES_PER_WINDOW * invisibleDuration.toMillis();
        this.windowBegun = clock.relativeTimeMillis();
    }

    /**
     * Messages came.
     *
     * @return how many of them were delivered before
     */
    int received(List<QueuedMessage> messages) {
        int again = 0;
        for (QueuedMessage queued : messages) {
            LiteMessage message = queued.message();
            boolean known = seen.put(message.messageId(), Boolean.TRUE) != null;
            if (known || message.deliveryAttempt() > 1) {
                again++;
            }
        }
        received += messages.size();
        redelivered += again;
        if (clock.relativeTimeMillis() - windowBegun >= windowMillis) {
            endWindow(messages.get(0).message().topic());
        }
        return again;
    }

    private void endWindow(String topic) {
        if (!warned && received >= LEAST_MESSAGES && 2 * redelivered > received) {
            warned = true;
            LOG.warn(
                    "{} of the last {} messages of topic {} were delivered before. Does an operator"
                            + " downstream acknowledge (RocketMQAckProcessFunction)? If so: does"
                            + " invisible-duration cover the processing of a delivery, or is most"
                            + " of the load deferred? Further cases are only counted (redelivered)",
                    redelivered,
                    received,
                    topic);
        }
        windowBegun = clock.relativeTimeMillis();
        received = 0;
        redelivered = 0;
    }
}
