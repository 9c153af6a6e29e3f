/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.rocketmq.grpc.lite.AckEntry;

/**
 * Entries that are settled together: a message with the messages riding on it, or what rides on a
 * deferred one. Guarded by the session's lock.
 */
final class EntryGroup {

    /** Hears once that every entry has its result. */
    @FunctionalInterface
    interface Listener {
        void resolved(EntryGroup group);
    }

    private final List<AckEntry> entries;
    private final String broker;
    private final long leaseEndMillis;
    private final AckStats stats;
    private final List<AckCall> calls;
    private final Listener listener;
    private int open;
    private boolean stale;
    private AckFailedException failure;

    /**
     * @param calls which wait for it, those that will among them
     */
    EntryGroup(
            List<AckEntry> entries,
            String broker,
            long leaseEndMillis,
            AckStats stats,
            List<AckCall> calls,
            Listener listener) {
        this.entries = entries;
        this.broker = broker;
        this.leaseEndMillis = leaseEndMillis;
        this.stats = stats;
        this.calls = calls;
        this.listener = listener;
        this.open = entries.size();
    }

    List<AckEntry> entries() {
        return entries;
    }

    String broker() {
        return broker;
    }

    long leaseEndMillis() {
        return leaseEndMillis;
    }

    AckStats stats() {
        return stats;
    }

    /** The server does not take it for now: its calls leave their places in flight to others. */
    void repeats(Semaphore repeats) {
        calls.forEach(call -> call.repeats(repeats));
    }

    /** The server took one entry. */
    void took() {
        close();
    }

    /** One entry came too late. */
    void tooLate() {
        stale = true;
        close();
    }

    /** One entry failed for good. */
    void failed(AckFailedException cause) {
        if (failure == null) {
            failure = cause;
        }
        close();
    }

    private void close() {
        open--;
        if (open == 0) {
            listener.resolved(this);
        }
    }

    /** Why it failed; null if it did not. */
    AckFailedException failure() {
        return failure;
    }

    /** How it ended, unless it failed. */
    AckOutcome outcome() {
        return stale ? AckOutcome.STALE : AckOutcome.SETTLED;
    }
}
