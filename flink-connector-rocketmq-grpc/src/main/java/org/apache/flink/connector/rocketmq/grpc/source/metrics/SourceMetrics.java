/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.metrics;

import java.util.function.LongSupplier;
import org.apache.flink.annotation.Internal;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.ThreadSafeSimpleCounter;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.runtime.metrics.MetricNames;

/**
 * What one reader counts besides Flink's own metrics; one series each, none per lite topic.
 *
 * <p>Thread-safe: the client's I/O thread and the task thread count.
 */
@Internal
public final class SourceMetrics {

    private static final String GROUP = "rocketmq";

    private final SourceReaderMetricGroup reader;
    private final ErrorsByCode receiveErrorsByCode;
    private final Counter received = new ThreadSafeSimpleCounter();
    private final Counter emptyPolls = new ThreadSafeSimpleCounter();
    private final Counter receiveErrors = new ThreadSafeSimpleCounter();
    private final Counter expiredBeforeEmission = new ThreadSafeSimpleCounter();
    private final Counter sourceAcks = new ThreadSafeSimpleCounter();
    private final Counter sourceAckFailures = new ThreadSafeSimpleCounter();
    private final Counter redelivered = new ThreadSafeSimpleCounter();
    private final Counter skipped = new ThreadSafeSimpleCounter();
    private final Counter retriedLater = new ThreadSafeSimpleCounter();
    private final Counter retryDeferralFailures = new ThreadSafeSimpleCounter();
    private final Counter renewals = new ThreadSafeSimpleCounter();
    private final Counter renewalFailures = new ThreadSafeSimpleCounter();
    private final Counter released = new ThreadSafeSimpleCounter();
    private final Counter releaseFailures = new ThreadSafeSimpleCounter();
    private final Counter withdrawals = new ThreadSafeSimpleCounter();
    private volatile long fetchLagMillis;
    private volatile long lastReceiveError;

    /** Registers everything but the gauges of the queue. */
    public SourceMetrics(SourceReaderMetricGroup reader) {
        this.reader = reader;
        reader.gauge(MetricNames.CURRENT_FETCH_EVENT_TIME_LAG, (Gauge<Long>) () -> fetchLagMillis);
        reader.addGroup(GROUP).gauge("lastReceiveErrorTime", (Gauge<Long>) () -> lastReceiveError);
        receiveErrorsByCode = new ErrorsByCode(reader.addGroup(GROUP), "receiveErrorsByCode");
        register("received", received);
        register("redelivered", redelivered);
        register("skipped", skipped);
        register("retriedLater", retriedLater);
        register("retryDeferralFailures", retryDeferralFailures);
        register("emptyPolls", emptyPolls);
        register("receiveErrors", receiveErrors);
        register("expiredBeforeEmission", expiredBeforeEmission);
        register("sourceAcks", sourceAcks);
        register("sourceAckFailures", sourceAckFailures);
        register("renewals", renewals);
        register("renewalFailures", renewalFailures);
        register("released", released);
        register("releaseFailures", releaseFailures);
        register("withdrawals", withdrawals);
    }

    private void register(String name, Counter counter) {
        reader.addGroup(GROUP).counter(name, counter);
    }

    /** Registers the gauges of what waits in the reader; called once. */
    public void watchQueue(LongSupplier messages, LongSupplier bytes, LongSupplier oldestMillis) {
        reader.addGroup(GROUP).gauge("queuedMessages", (Gauge<Long>) messages::getAsLong);
        reader.addGroup(GROUP).gauge("queuedBytes", (Gauge<Long>) bytes::getAsLong);
        reader.addGroup(GROUP).gauge("oldestWaitMillis", (Gauge<Long>) oldestMillis::getAsLong);
    }

    /**
     * Messages arrived.
     *
     * @param count how many
     * @param again how many of them were delivered before
     * @param lagMillis age of the newest, from its born timestamp to now
     */
    public void received(int count, int again, long lagMillis) {
        received.inc(count);
        redelivered.inc(again);
        fetchLagMillis = lagMillis;
    }

    /** A poll ended without a message. */
    public void emptyPoll() {
        emptyPolls.inc();
    }

    /**
     * A poll failed.
     *
     * @param code name of the protocol code or of the gRPC status
     * @param nowMillis wall clock, milliseconds since the epoch
     */
    public void receiveError(String code, long nowMillis) {
        receiveErrors.inc();
        receiveErrorsByCode.count(code);
        lastReceiveError = nowMillis;
    }

    /** A message was let go because its lease, or that of its delivery, had ended. */
    public void expiredBeforeEmission() {
        expiredBeforeEmission.inc();
    }

    /** Messages without a record were acked by the source. */
    public void sourceAcks(int count) {
        sourceAcks.inc(count);
    }

    /** Such acks failed; the messages come back. */
    public void sourceAckFailures(int count) {
        sourceAckFailures.inc(count);
    }

    /** A waiting message was renewed. */
    public void renewal() {
        renewals.inc();
    }

    /** A renewal failed; the handle stays as it is. */
    public void renewalFailure() {
        renewalFailures.inc();
    }

    /** Messages that were not emitted were made visible at the close. */
    public void released(int messages) {
        released.inc(messages);
    }

    /** Such messages stay invisible until their invisible duration ends. */
    public void releaseFailures(int messages) {
        releaseFailures.inc(messages);
    }

    /** The subscription was given up for want of room. */
    public void withdrawal() {
        withdrawals.inc();
    }

    /** The task thread looks at a message; Flink counts {@code numRecordsIn} then. */
    public void read(long bytes) {
        reader.getIOMetricGroup().getNumBytesInCounter().inc(bytes);
    }

    /** A message could not be turned into records. */
    public void deserializationError() {
        reader.getNumRecordsInErrorsCounter().inc();
    }

    /** Such a message is settled without a record. */
    public void skipped() {
        skipped.inc();
    }

    /** Such a message is to come back for another attempt. */
    public void retriedLater() {
        retriedLater.inc();
    }

    /** The deferral for that failed; the message comes back with the end of its lease. */
    public void retryDeferralFailure() {
        retryDeferralFailures.inc();
    }
}
