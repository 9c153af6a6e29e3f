/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;

/**
 * The ack of one message of a delivery on its way: first it gathers the parts of the message, then
 * it may wait for its place, then it is under way. Guarded by the session's lock.
 */
final class MessageAck {

    private final List<AckCall> calls = new ArrayList<>(1);
    private final BitSet parts = new BitSet();
    private RocketMQReceiptHandle newest;
    private boolean issued;
    private long waitsUntil = Long.MAX_VALUE;
    private boolean endsByOrderTimeout;

    /** One more part was acked, or the same one once more. */
    void join(RocketMQReceiptHandle handle, AckCall call) {
        calls.add(call);
        if (issued) {
            return;
        }
        parts.set(handle.getPart());
        if (newest == null || handle.getLeaseEndMillis() > newest.getLeaseEndMillis()) {
            newest = handle;
        }
    }

    /** A call that only wants to hear the end. */
    void listen(AckCall call) {
        calls.add(call);
    }

    /** The newest handle of the message. */
    RocketMQReceiptHandle handle() {
        return newest;
    }

    int index() {
        return newest.getIndexInDelivery();
    }

    /** True once every part was acked. */
    boolean isComplete() {
        return newest != null && parts.cardinality() >= newest.getParts();
    }

    /** A call that came before the last part, or again: it shares the message's way and end. */
    void waitWith(AckCall call) {
        if (!issued) {
            call.hold();
        }
    }

    boolean isIssued() {
        return issued;
    }

    /** True if it has all parts and waits for its place. */
    boolean isHeld() {
        return !issued && waitsUntil != Long.MAX_VALUE;
    }

    List<AckCall> calls() {
        return calls;
    }

    /** True if one of its calls is this owner's. */
    boolean isOf(AckStats owner) {
        return calls.stream().anyMatch(call -> call.stats() == owner);
    }

    /** Whom it counts for: the owner of the call that came last. */
    AckStats stats() {
        return calls.get(calls.size() - 1).stats();
    }

    long leaseEndMillis() {
        return newest.getLeaseEndMillis();
    }

    /** Waits for its place until then. */
    void hold(long untilMillis, boolean byOrderTimeout) {
        waitsUntil = untilMillis;
        endsByOrderTimeout = byOrderTimeout;
        calls.forEach(AckCall::hold);
    }

    long waitsUntil() {
        return waitsUntil;
    }

    /** True if the end of its wait says that the stream is out of order. */
    boolean endsByOrderTimeout() {
        return endsByOrderTimeout;
    }

    /**
     * Leaves; what it settles, in the order of the lite topic. All parts of a message carry the
     * same riding messages, so the newest handle has the newest receipts of these, too.
     */
    EntryGroup issue(EntryGroup.Listener listener) {
        issued = true;
        calls.forEach(AckCall::leave);
        return new EntryGroup(
                RocketMQReceiptHandleCodec.toEntries(newest),
                newest.getBroker(),
                newest.getLeaseEndMillis(),
                stats(),
                calls,
                listener);
    }
}
