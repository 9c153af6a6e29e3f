/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.List;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.rocketmq.grpc.lite.AckEntry;

/**
 * The one deferral of a delivery: parked until everything below it is settled, then under way.
 * Guarded by the session's lock.
 */
final class Deferral {

    private final RocketMQReceiptHandle handle;
    private final long durationMillis;
    private final long calledAtMillis;
    private final AckCall call;
    private final AckEntry entry;
    private final RetryDelay retries;
    private Extras extras;
    private boolean sent;
    private boolean urged;
    private long parkedUntil = Long.MAX_VALUE;

    Deferral(RocketMQReceiptHandle handle, long durationMillis, long nowMillis, AckCall call) {
        this.handle = handle;
        this.durationMillis = durationMillis;
        this.calledAtMillis = nowMillis;
        this.call = call;
        this.entry = RocketMQReceiptHandleCodec.toEntry(handle);
        this.retries = new RetryDelay(handle.getLeaseEndMillis());
        this.extras = handle.getExtraReceipts().isEmpty() ? Extras.NONE : Extras.WAITING;
    }

    RocketMQReceiptHandle handle() {
        return handle;
    }

    AckEntry entry() {
        return entry;
    }

    RetryDelay retries() {
        return retries;
    }

    AckCall call() {
        return call;
    }

    int index() {
        return handle.getIndexInDelivery();
    }

    /** What is left of the duration: the time it waited counts. */
    long leftMillis(long nowMillis) {
        return Math.max(0, durationMillis - Math.max(0, nowMillis - calledAtMillis));
    }

    /**
     * What rides on the deferred message lies just below it, so it is acked before, but after all
     * that lies further below; null if there is nothing or it was taken.
     */
    EntryGroup takeExtras(EntryGroup.Listener listener) {
        if (extras != Extras.WAITING) {
            return null;
        }
        extras = Extras.UNDER_WAY;
        List<AckEntry> entries =
                RocketMQReceiptHandleCodec.toEntries(handle)
                        .subList(0, handle.getExtraReceipts().size());
        return new EntryGroup(
                entries,
                handle.getBroker(),
                handle.getLeaseEndMillis(),
                call.stats(),
                List.of(call),
                listener);
    }

    void extrasResolved() {
        extras = Extras.NONE;
    }

    boolean isAckingExtras() {
        return extras == Extras.UNDER_WAY;
    }

    void park(long untilMillis) {
        parkedUntil = untilMillis;
        call.hold();
    }

    long parkedUntil() {
        return parkedUntil;
    }

    /** Its operator is at its end: it waits for what is under way only. */
    void urge() {
        urged = true;
    }

    boolean isUrged() {
        return urged;
    }

    boolean isSent() {
        return sent;
    }

    void sending() {
        sent = true;
        call.leave();
    }

    /** How far the acks are of what rides on the deferred message. */
    private enum Extras {
        NONE,
        WAITING,
        UNDER_WAY
    }
}
