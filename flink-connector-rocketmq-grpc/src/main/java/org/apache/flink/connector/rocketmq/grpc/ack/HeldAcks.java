/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.function.BiConsumer;

/**
 * The acks' half of the sequencer: in index order within a delivery, with a bounded wait behind a
 * gap. Guarded by the session's lock.
 */
final class HeldAcks {

    private final OrderPolicy order;
    private final int maxHeld;
    private final SequencerOutlet outlet;
    private final DeliveryTable table;
    private final BiConsumer<Delivery, MessageAck> onSettled;
    private int held;

    HeldAcks(
            OrderPolicy order,
            int maxHeld,
            SequencerOutlet outlet,
            DeliveryTable table,
            BiConsumer<Delivery, MessageAck> onSettled) {
        this.order = order;
        this.maxHeld = maxHeld;
        this.outlet = outlet;
        this.table = table;
        this.onSettled = onSettled;
    }

    /** A message has all its acks: it leaves, with what waited for it, or it waits. */
    void offer(Delivery delivery, MessageAck ack, long now) {
        if (order.isOff()) {
            issue(delivery, ack);
        } else if (order.isStrict() && delivery.isBrokenBelow(ack.index())) {
            drop(delivery, ack);
        } else if (ack.index() <= delivery.nextToLeave()) {
            issue(delivery, ack);
            issueNext(delivery, true);
        } else {
            hold(delivery, ack, now);
        }
    }

    private void hold(Delivery delivery, MessageAck ack, long now) {
        if (delivery.isSuperseded()) {
            drop(delivery, ack);
            return;
        }
        long leaseEnd = ack.leaseEndMillis();
        ack.hold(order.holdUntil(leaseEnd, now), order.endsByTimeout(leaseEnd, now));
        held++;
        if (held > maxHeld) {
            ack.stats().heldOverflows.incrementAndGet();
            letOut(delivery);
        } else {
            table.checkAt(delivery, ack.waitsUntil());
        }
    }

    private void issue(Delivery delivery, MessageAck ack) {
        if (ack.isHeld()) {
            held--;
        }
        delivery.leaves(ack.index());
        outlet.send(ack.issue(group -> settled(delivery, ack, group)));
    }

    private void settled(Delivery delivery, MessageAck ack, EntryGroup group) {
        if (group.failure() == null) {
            delivery.settles(ack.index(), group.outcome() == AckOutcome.STALE);
        } else {
            delivery.refused(ack.index());
        }
        for (AckCall call : ack.calls()) {
            if (group.failure() != null) {
                outlet.fail(call, group.failure());
            } else {
                outlet.finish(call, group.outcome());
            }
        }
        if (order.isStrict() && delivery.isBrokenBelow(Integer.MAX_VALUE)) {
            dropAll(delivery);
        }
        onSettled.accept(delivery, ack);
    }

    /** What waited for the place that just got free. */
    private void issueNext(Delivery delivery, boolean gapFilled) {
        MessageAck next = delivery.heldAtNext();
        while (next != null) {
            if (gapFilled) {
                order.gapFilled();
            }
            issue(delivery, next);
            next = delivery.heldAtNext();
        }
    }

    /**
     * Lets go out what waited long enough.
     *
     * @return true if this made the session give up the order
     */
    boolean releaseDue(Delivery delivery, long now) {
        if (order.isStrict()) {
            dropDue(delivery, now);
            return false;
        }
        int through = -1;
        boolean outOfOrder = false;
        for (MessageAck ack : delivery.heldAcks()) {
            if (ack.waitsUntil() <= now) {
                through = ack.index();
                outOfOrder |= ack.endsByOrderTimeout();
            }
        }
        if (through < 0) {
            return false;
        }
        releaseThrough(delivery, through);
        return outOfOrder && order.gapTimedOut();
    }

    private void dropDue(Delivery delivery, long now) {
        for (MessageAck ack : delivery.heldAcks()) {
            if (ack.waitsUntil() <= now) {
                order.leaseEndedBehindGap(delivery.key(), now);
                drop(delivery, ack);
            }
        }
    }

    /** Not sent any more: its message comes back with the unfinished one before it. */
    private void drop(Delivery delivery, MessageAck ack) {
        delivery.letsGoOf(ack);
        letGo(ack, AckOutcome.DROPPED);
    }

    private void releaseThrough(Delivery delivery, int index) {
        for (MessageAck ack : delivery.heldAcks()) {
            if (ack.index() <= index) {
                issue(delivery, ack);
            }
        }
        issueNext(delivery, false);
    }

    /** Nothing waits in this delivery any more: it goes out, or is let go if order is strict. */
    void letOut(Delivery delivery) {
        for (MessageAck ack : delivery.heldAcks()) {
            if (order.isStrict()) {
                drop(delivery, ack);
            } else {
                issue(delivery, ack);
            }
        }
    }

    /** Lets go whatever of this delivery was not sent. */
    void dropAll(Delivery delivery) {
        delivery.unsent().forEach(ack -> drop(delivery, ack));
    }

    /** Lets go whatever of this delivery was not sent and is this owner's. */
    void dropFor(Delivery delivery, AckStats owner) {
        for (MessageAck ack : delivery.unsent()) {
            if (ack.isOf(owner)) {
                drop(delivery, ack);
            }
        }
    }

    /**
     * What waits in this delivery for this owner goes out, and what waits before it; if order is
     * strict it is let go.
     */
    void releaseFor(Delivery delivery, AckStats owner) {
        int through = -1;
        for (MessageAck ack : delivery.heldAcks()) {
            if (ack.isOf(owner)) {
                through = ack.index();
                if (order.isStrict()) {
                    drop(delivery, ack);
                    through = -1;
                }
            }
        }
        if (through >= 0) {
            releaseThrough(delivery, through);
        }
    }

    /** Its message comes back, so the ack does not go out. */
    void letGo(MessageAck ack, AckOutcome outcome) {
        if (ack.isHeld()) {
            held--;
        }
        for (AckCall call : ack.calls()) {
            outlet.finish(call, outcome);
        }
    }

    /** Looks again when the next one of this delivery has waited long enough. */
    void recheck(Delivery delivery) {
        for (MessageAck ack : delivery.heldAcks()) {
            table.checkAt(delivery, ack.waitsUntil());
        }
    }

    /** None of them waits any more: the session is dead. */
    void clear() {
        held = 0;
    }

    /** How many wait. */
    int size() {
        return held;
    }
}
