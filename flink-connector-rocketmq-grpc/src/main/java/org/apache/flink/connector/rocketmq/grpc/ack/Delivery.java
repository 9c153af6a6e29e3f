/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * What is known of one delivery: which of its messages left, which are settled at the server, what
 * waits, and from where on it is deferred. Guarded by the session's lock.
 */
final class Delivery {

    private static final int NOT_DEFERRED = -1;
    private static final int UNKNOWN = -1;

    private final DeliveryKey key;
    private final TreeMap<Integer, MessageAck> open = new TreeMap<>();
    private final BitSet issued = new BitSet();
    private final BitSet settled = new BitSet();
    private final BitSet stale = new BitSet();
    private final BitSet broken = new BitSet();
    private int next;
    private int lastIndex = UNKNOWN;
    private int deferredFrom = NOT_DEFERRED;
    private boolean superseded;
    private Deferral deferral;
    private long endMillis;
    private long nextCheck = Long.MAX_VALUE;

    Delivery(DeliveryKey key) {
        this.key = key;
    }

    DeliveryKey key() {
        return key;
    }

    /** Learns what a handle tells about its delivery. */
    void learn(RocketMQReceiptHandle handle, long earliestEndMillis) {
        endMillis = Math.max(endMillis, Math.max(handle.getLeaseEndMillis(), earliestEndMillis));
        if (handle.isLastInDelivery()) {
            lastIndex = handle.getIndexInDelivery();
        }
    }

    /** When it is over at the server, as far as the handles seen tell. */
    long endMillis() {
        return endMillis;
    }

    long nextCheck() {
        return nextCheck;
    }

    void nextCheck(long atMillis) {
        nextCheck = atMillis;
    }

    /** The ack of this message that is not settled yet; begun if there is none. */
    MessageAck messageAck(int index) {
        return open.computeIfAbsent(index, i -> new MessageAck());
    }

    /** The ack that waits at the place that is next to leave; null if there is none. */
    MessageAck heldAtNext() {
        MessageAck ack = open.get(next);
        return ack != null && ack.isHeld() ? ack : null;
    }

    /** The acks that wait for their place, in order; a copy. */
    List<MessageAck> heldAcks() {
        return unsent(MessageAck::isHeld);
    }

    /** The acks that did not leave, in order; a copy. */
    List<MessageAck> unsent() {
        return unsent(ack -> !ack.isIssued());
    }

    private List<MessageAck> unsent(Predicate<MessageAck> which) {
        return open.values().stream().filter(which).collect(Collectors.toList());
    }

    /** The lowest index that has not left, above every gap that was given up. */
    int nextToLeave() {
        return next;
    }

    /** This one leaves; what it overtakes may leave at any time. */
    void leaves(int index) {
        issued.set(index);
        if (index >= next) {
            next = issued.nextClearBit(index);
        }
    }

    boolean hasLeft(int index) {
        return issued.get(index);
    }

    /** The server has it, or never will. */
    void settles(int index, boolean tooLate) {
        settled.set(index);
        stale.set(index, tooLate);
        broken.set(index, tooLate);
        open.remove(index);
    }

    /** The server refused it: it is as if it had not left, except that nothing waits for it. */
    void refused(int index) {
        issued.clear(index);
        broken.set(index);
        open.remove(index);
    }

    boolean isSettled(int index) {
        return settled.get(index);
    }

    /** True if a message below this index came too late or was refused, so that it comes back. */
    boolean isBrokenBelow(int index) {
        int first = broken.nextSetBit(0);
        return first >= 0 && first < index;
    }

    AckOutcome outcome(int index) {
        return stale.get(index) ? AckOutcome.STALE : AckOutcome.SETTLED;
    }

    boolean isSettledBelow(int index) {
        return settled.nextClearBit(0) >= index;
    }

    /** True if something below this index is on its way. */
    boolean isBusyBelow(int index) {
        return open.headMap(index, false).values().stream().anyMatch(MessageAck::isIssued);
    }

    /** True if every message of it is settled, so that nothing can follow. */
    boolean isComplete() {
        return lastIndex != UNKNOWN && settled.nextClearBit(0) > lastIndex && !isDeferred();
    }

    boolean isDeferred() {
        return deferredFrom != NOT_DEFERRED;
    }

    /** True if this message comes back with a deferred one. */
    boolean letsGo(int index) {
        return isDeferred() && index >= deferredFrom;
    }

    /**
     * Deferred from this index on.
     *
     * @return the acks that are let go for it
     */
    List<MessageAck> deferFrom(int index) {
        deferredFrom = index;
        List<MessageAck> letGo = unsent(ack -> !ack.isIssued() && ack.index() >= index);
        open.values().removeAll(letGo);
        return letGo;
    }

    /** A later delivery of the lite topic was seen: at the server this one is over. */
    void supersede() {
        superseded = true;
    }

    boolean isSuperseded() {
        return superseded;
    }

    /** Which of its messages came too late; a copy. */
    BitSet staleIndexes() {
        return (BitSet) stale.clone();
    }

    /** This one is let go; an ack of it that comes later begins anew. */
    void letsGoOf(MessageAck ack) {
        open.remove(ack.index(), ack);
    }

    /** The deferral that is parked or under way; null if there is none. */
    Deferral deferral() {
        return deferral;
    }

    void deferral(Deferral newDeferral) {
        deferral = newDeferral;
    }
}
