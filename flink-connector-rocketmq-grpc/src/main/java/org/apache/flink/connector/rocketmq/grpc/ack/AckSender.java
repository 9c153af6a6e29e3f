/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.ack.AckCoalescer.PendingEntry;
import org.apache.rocketmq.grpc.lite.AckResult;

/**
 * Sends the acks of a session, one request per topic and broker at a time, and repeats what failed
 * for now until its lease ends. What is repeated takes no place in flight, within a bound of its
 * own: so a cluster that is away leaves the places to the others. Guarded by the session's lock.
 */
final class AckSender {

    private final SessionLoop loop;
    private final AckTransport transport;
    private final FailureSorter failures;
    private final Semaphore repeats;
    private final Map<String, AckCoalescer> coalescers = new HashMap<>();
    private final Set<AckCoalescer> touched = new LinkedHashSet<>();

    /** The same for all entries of an answer, so that they go again in one request. */
    private double jitter;

    /** How many entries of the answer failed for now. */
    private int failedForNow;

    /**
     * @param repeats the places of what is repeated
     */
    AckSender(SessionLoop loop, AckTransport transport, FailureSorter failures, Semaphore repeats) {
        this.loop = loop;
        this.transport = transport;
        this.failures = failures;
        this.repeats = repeats;
    }

    /** Queues the entries behind what was queued before. */
    void send(EntryGroup group) {
        AckCoalescer coalescer =
                coalescers.computeIfAbsent(AckCoalescer.key(group), k -> new AckCoalescer(repeats));
        group.entries().forEach(entry -> coalescer.offer(new PendingEntry(entry, group)));
        touched.add(coalescer);
    }

    /** Starts what can start; at the end of each section, so that one request takes all of it. */
    void startRequests() {
        for (AckCoalescer coalescer : touched) {
            List<PendingEntry> batch = coalescer.next();
            if (!batch.isEmpty()) {
                loop.effect(() -> request(coalescer, batch));
            }
        }
        touched.clear();
    }

    private void request(AckCoalescer coalescer, List<PendingEntry> batch) {
        transport
                .ack(batch.stream().map(PendingEntry::entry).collect(Collectors.toList()))
                .whenComplete(
                        (results, error) ->
                                loop.run(() -> answered(coalescer, batch, results, error)));
    }

    private void answered(
            AckCoalescer coalescer,
            List<PendingEntry> batch,
            List<AckResult> results,
            Throwable error) {
        failedForNow = 0;
        jitter = ThreadLocalRandom.current().nextDouble();
        touched.add(coalescer);
        List<PendingEntry> again = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            PendingEntry entry = batch.get(i);
            Throwable failure = error;
            if (error == null) {
                failure = i < results.size() ? results.get(i).failure().orElse(null) : missing();
            }
            if (failure == null) {
                entry.group().took();
            } else if (isToRepeat(entry, failure)) {
                again.add(entry);
            }
        }
        coalescer.answered(failedForNow == batch.size());
        repeatLater(coalescer, again);
    }

    private static Throwable missing() {
        return new IllegalStateException("the answer has no result for this entry");
    }

    private boolean isToRepeat(PendingEntry pending, Throwable failure) {
        switch (failures.sort("ack", pending.entry(), failure)) {
            case STALE_HANDLE:
                pending.group().tooLate();
                return false;
            case TRANSIENT:
                failedForNow++;
                return !endedMeanwhile(pending);
            default:
                pending.group().failed(AckFailedException.of("ack", pending.entry(), failure));
                return false;
        }
    }

    private boolean endedMeanwhile(PendingEntry pending) {
        if (!pending.retries(() -> jitter).isOver(loop.now())) {
            return false;
        }
        failures.leaseEnded("ack", pending.entry());
        pending.group().tooLate();
        return true;
    }

    private void repeatLater(AckCoalescer coalescer, List<PendingEntry> again) {
        Map<Long, List<PendingEntry>> byDelay = new HashMap<>();
        for (PendingEntry pending : again) {
            pending.group().stats().retried.incrementAndGet();
            pending.group().repeats(repeats);
            long delay = pending.retries(() -> jitter).nextMillis(loop.now());
            byDelay.computeIfAbsent(delay, d -> new ArrayList<>()).add(pending);
        }
        byDelay.forEach((delay, entries) -> loop.later(delay, () -> repeat(coalescer, entries)));
    }

    private void repeat(AckCoalescer coalescer, List<PendingEntry> entries) {
        for (PendingEntry pending : entries) {
            if (!endedMeanwhile(pending)) {
                coalescer.offer(pending);
            }
        }
        touched.add(coalescer);
    }

    /** Sends nothing more. */
    void clear() {
        coalescers.values().forEach(AckCoalescer::clear);
        touched.clear();
    }
}
