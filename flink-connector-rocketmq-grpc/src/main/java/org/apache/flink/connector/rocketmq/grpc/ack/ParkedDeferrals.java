/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

/**
 * The deferrals' half of the sequencer: one request per delivery, sent when everything below the
 * deferred message is settled at the server, because the server (5.5.0) delivers again what is not.
 * Guarded by the session's lock.
 */
final class ParkedDeferrals {

    private final OrderPolicy order;
    private final SequencerOutlet outlet;
    private final DeliveryTable table;

    ParkedDeferrals(OrderPolicy order, SequencerOutlet outlet, DeliveryTable table) {
        this.order = order;
        this.outlet = outlet;
        this.table = table;
    }

    /**
     * A message is deferred that lies below everything its delivery was deferred from so far. A
     * deferral that was sent re-timed the whole delivery, so no second one follows; one that is
     * still parked gives way.
     */
    void defer(Delivery delivery, Deferral deferral, boolean deferredBefore, long now) {
        Deferral previous = delivery.deferral();
        boolean parkedBefore = previous != null && !previous.isSent();
        if (deferredBefore && !parkedBefore) {
            outlet.finish(deferral.call(), AckOutcome.DROPPED);
            return;
        }
        if (parkedBefore) {
            outlet.finish(previous.call(), AckOutcome.DROPPED);
        }
        delivery.deferral(deferral);
        if (!sendIfReady(delivery)) {
            deferral.park(order.parkedUntil(deferral.handle(), now));
            recheck(delivery);
        }
    }

    private void extrasResolved(Delivery delivery, Deferral deferral, EntryGroup extras) {
        deferral.extrasResolved();
        if (extras.failure() != null) {
            if (delivery.deferral() == deferral && !deferral.isSent()) {
                delivery.deferral(null);
            }
            outlet.fail(deferral.call(), extras.failure());
            return;
        }
        sendIfReady(delivery);
    }

    /**
     * Sends the deferral of this delivery if nothing below it is open.
     *
     * @return false if it has to wait
     */
    boolean sendIfReady(Delivery delivery) {
        Deferral deferral = delivery.deferral();
        if (deferral == null || deferral.isSent()) {
            return true;
        }
        int index = deferral.index();
        if (delivery.isSettledBelow(index)) {
            EntryGroup extras = deferral.takeExtras(g -> extrasResolved(delivery, deferral, g));
            if (extras != null) {
                outlet.send(extras);
            }
        } else if (!deferral.isUrged() || delivery.isBusyBelow(index)) {
            return false;
        }
        boolean ready = !deferral.isAckingExtras();
        if (ready) {
            send(deferral);
        }
        return ready;
    }

    private void send(Deferral deferral) {
        deferral.sending();
        outlet.send(deferral);
    }

    /** Sends what waited as long as it may. */
    void sendDue(Delivery delivery, long now) {
        Deferral deferral = delivery.deferral();
        if (deferral != null && !deferral.isSent() && deferral.parkedUntil() <= now) {
            send(deferral);
        }
    }

    /** Sends what is parked, whatever lies below it. */
    void sendNow(Delivery delivery) {
        sendDue(delivery, Long.MAX_VALUE);
    }

    /** The lite topic was delivered anew: what is parked has nothing to defer any more. */
    void superseded(Delivery delivery) {
        Deferral deferral = delivery.deferral();
        if (deferral != null && !deferral.isSent()) {
            delivery.deferral(null);
            outlet.finish(deferral.call(), AckOutcome.STALE);
        }
    }

    /** The order was given up: what is parked waits no longer than an ack would. */
    void parkShorter(Delivery delivery, long now) {
        Deferral deferral = delivery.deferral();
        if (deferral != null && !deferral.isSent()) {
            long until = order.parkedUntil(deferral.handle(), now);
            deferral.park(Math.min(deferral.parkedUntil(), until));
            recheck(delivery);
        }
    }

    /** This owner is at its end: its deferral waits for what is under way only. */
    void urge(Delivery delivery, AckStats owner) {
        Deferral deferral = delivery.deferral();
        if (deferral != null && deferral.call().stats() == owner) {
            deferral.urge();
            sendIfReady(delivery);
        }
    }

    /** Looks again when the one of this delivery has waited as long as it may. */
    void recheck(Delivery delivery) {
        Deferral deferral = delivery.deferral();
        if (deferral != null && !deferral.isSent()) {
            table.checkAt(delivery, deferral.parkedUntil());
        }
    }
}
