/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Holds the first failure that happened off the fetcher thread until the fetcher raises it; later
 * ones are suppressed in it. Thread-safe.
 */
final class FailureSlot {

    private static final int MOST_SUPPRESSED = 8;

    private final AtomicReference<IOException> first = new AtomicReference<>();

    /** Parks a failure. */
    void park(IOException failure) {
        if (first.compareAndSet(null, failure)) {
            return;
        }
        IOException parked = first.get();
        if (parked.getSuppressed().length < MOST_SUPPRESSED) {
            parked.addSuppressed(failure);
        }
    }

    /** Throws the parked failure, each time, if there is one. */
    void raise() throws IOException {
        IOException parked = first.get();
        if (parked != null) {
            throw parked;
        }
    }
}
