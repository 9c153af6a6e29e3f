/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.Recorder;

/**
 * What the operators of one phase report, and the one thing they are told: whether to drain.
 *
 * <p>The demo's job runs in the demo's own JVM, so its operators find their probe by name in a
 * static registry. {@link #open} and {@link #close()} bound its life. Thread-safe: operators write
 * from task threads, acknowledgements come from the client's thread, the demo's main thread reads.
 */
final class DemoProbe implements AutoCloseable {

    private static final ConcurrentHashMap<String, DemoProbe> OPEN = new ConcurrentHashMap<>();
    private static final int SIGNIFICANT_DIGITS = 3;

    private final String name;
    private final LongSupplier nanoClock;
    private final LongAdder received = new LongAdder();
    private final LongAdder acked = new LongAdder();
    private final LongAdder unsettled = new LongAdder();
    private final LongAdder duplicates = new LongAdder();
    private final SequenceSet worked = new SequenceSet();
    private final Recorder hotMicros = new Recorder(SIGNIFICANT_DIGITS);
    private final Recorder coldMicros = new Recorder(SIGNIFICANT_DIGITS);
    private volatile boolean draining;

    private DemoProbe(String name, LongSupplier nanoClock) {
        this.name = name;
        this.nanoClock = nanoClock;
    }

    /** Makes a probe that {@link #of} finds until it is closed. */
    static DemoProbe open(String name, LongSupplier nanoClock) {
        DemoProbe probe = new DemoProbe(name, nanoClock);
        if (OPEN.putIfAbsent(name, probe) != null) {
            throw new IllegalStateException("probe " + name + " is open already");
        }
        return probe;
    }

    /**
     * The open probe of that name.
     *
     * @throws IllegalStateException if there is none: the job does not run in the demo's JVM
     */
    static DemoProbe of(String name) {
        DemoProbe probe = OPEN.get(name);
        if (probe == null) {
            throw new IllegalStateException("probe " + name + " is not open in this JVM");
        }
        return probe;
    }

    /** The name to find it by. */
    String name() {
        return name;
    }

    /** The source emitted a message. */
    void received() {
        received.increment();
    }

    /** The work on a message is done. */
    void worked(DemoMessage message) {
        if (!worked.add(message.getSequence())) {
            duplicates.increment();
            return;
        }
        if (message.isGreeting()) {
            return;
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(nanoClock.getAsLong() - message.getDueNanos());
        (message.isHot() ? hotMicros : coldMicros).recordValue(Math.max(0, micros));
    }

    /** The broker settled a message. */
    void acked() {
        acked.increment();
    }

    /** An ack came too late, or its delivery had been deferred: the message comes back. */
    void unsettled() {
        unsettled.increment();
    }

    /** From now on the gate admits everything and the work takes no time. */
    void drain() {
        draining = true;
    }

    /** Whether {@link #drain()} was called. */
    boolean isDraining() {
        return draining;
    }

    /** Messages the source emitted, redeliveries included. */
    long receivedCount() {
        return received.sum();
    }

    /** Messages settled at the broker. */
    long ackedCount() {
        return acked.sum();
    }

    /** Acks that settled nothing. */
    long unsettledCount() {
        return unsettled.sum();
    }

    /** How often work was done again on a message. */
    long duplicateCount() {
        return duplicates.sum();
    }

    /** The distinct messages worked on. */
    SequenceSet workedSet() {
        return worked;
    }

    /** Microseconds from due to worked, hot tenant. */
    Recorder hotMicros() {
        return hotMicros;
    }

    /** Microseconds from due to worked, cold tenants. */
    Recorder coldMicros() {
        return coldMicros;
    }

    @Override
    public void close() {
        OPEN.remove(name, this);
    }
}
