/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/**
 * Order within a delivery: which ack leaves when, when a deferral may be sent, and what is let go
 * because its delivery was deferred.
 *
 * <p>An ack behind an unfinished message gains nothing (server 5.5.0 delivers both again) and
 * commits past it after a broker restart, so acks leave in index order. What is known of a delivery
 * is forgotten when all of it is settled, at the end of its lease, or when too many are known (the
 * oldest first).
 *
 * <p>Guarded by the session's lock: nothing here sends or completes anything by itself, it tells
 * the {@link SequencerOutlet}, which queues.
 */
final class AckSequencer {

    private final OrderPolicy order;
    private final SequencerLimits limits;
    private final SequencerOutlet outlet;
    private final DeliveryTable table = new DeliveryTable();
    private final HeldAcks acks;
    private final ParkedDeferrals deferrals;
    private volatile long forgotten;

    AckSequencer(OrderPolicy order, SequencerLimits limits, SequencerOutlet outlet) {
        this.order = order;
        this.limits = limits;
        this.outlet = outlet;
        this.acks =
                new HeldAcks(
                        order,
                        limits.maxHeld(),
                        outlet,
                        table,
                        (delivery, ack) -> afterSettling(delivery));
        this.deferrals = new ParkedDeferrals(order, outlet, table);
    }

    private void afterSettling(Delivery delivery) {
        deferrals.sendIfReady(delivery);
        if (delivery.isComplete()) {
            table.complete(delivery);
        }
    }

    /** Acks a message, or one part of it. */
    void ack(RocketMQReceiptHandle handle, AckCall call, long now) {
        DeliveryKey key = DeliveryKey.of(handle);
        int index = handle.getIndexInDelivery();
        if (answeredByMemory(key, index, call)) {
            return;
        }
        Delivery delivery = deliveryOf(key, handle, now);
        if (answeredByState(delivery, index, call)) {
            return;
        }
        MessageAck ack = delivery.messageAck(index);
        boolean wasComplete = ack.isComplete();
        ack.join(handle, call);
        if (wasComplete || !ack.isComplete()) {
            ack.waitWith(call);
        } else {
            acks.offer(delivery, ack, now);
        }
    }

    /** Defers a message and with it the rest of its delivery. */
    void defer(RocketMQReceiptHandle handle, long durationMillis, AckCall call, long now) {
        DeliveryKey key = DeliveryKey.of(handle);
        int index = handle.getIndexInDelivery();
        if (answeredByMemory(key, index, call)) {
            return;
        }
        Delivery delivery = deliveryOf(key, handle, now);
        if (answeredByState(delivery, index, call)) {
            return;
        }
        if (delivery.hasLeft(index)) {
            delivery.messageAck(index).listen(call);
            return;
        }
        deferFrom(delivery, new Deferral(handle, durationMillis, now, call), now);
    }

    private void deferFrom(Delivery delivery, Deferral deferral, long now) {
        boolean deferredBefore = delivery.isDeferred();
        for (MessageAck ack : delivery.deferFrom(deferral.index())) {
            acks.letGo(ack, AckOutcome.DROPPED);
        }
        if (delivery.isSuperseded()) {
            outlet.finish(deferral.call(), AckOutcome.STALE);
            return;
        }
        deferrals.defer(delivery, deferral, deferredBefore, now);
    }

    private boolean answeredByMemory(DeliveryKey key, int index, AckCall call) {
        AckOutcome outcome = table.outcomeBefore(key, index);
        if (outcome != null) {
            outlet.finish(call, outcome);
        }
        return outcome != null;
    }

    /**
     * The owner of this message is at its end: a deferral by zero that waits for what is under way
     * only. It takes the place of a deferral that is parked, because what lies below that one is
     * unfinished.
     */
    void makeVisible(RocketMQReceiptHandle handle, AckCall call, long now) {
        DeliveryKey key = DeliveryKey.of(handle);
        int index = handle.getIndexInDelivery();
        if (answeredByMemory(key, index, call)) {
            return;
        }
        Delivery delivery = deliveryOf(key, handle, now);
        Deferral parked = delivery.deferral();
        RocketMQReceiptHandle lowest = handle;
        if (parked != null && !parked.isSent()) {
            boolean unknownBelow = parked.index() <= index || delivery.isSettled(index);
            lowest = unknownBelow ? parked.handle() : handle;
        } else if (answeredByState(delivery, index, call)) {
            return;
        }
        if (delivery.hasLeft(lowest.getIndexInDelivery())) {
            delivery.messageAck(lowest.getIndexInDelivery()).listen(call);
            return;
        }
        Deferral release = new Deferral(lowest, 0, now, call);
        release.urge();
        deferFrom(delivery, release, now);
    }

    /** The lowest message of each delivery that waits or is parked for this owner. */
    List<RocketMQReceiptHandle> heldBy(AckStats owner) {
        List<RocketMQReceiptHandle> lowest = new ArrayList<>();
        for (Delivery delivery : table.all()) {
            Deferral parked = delivery.deferral();
            Optional<RocketMQReceiptHandle> ack =
                    delivery.unsent().stream()
                            .filter(unsent -> unsent.isOf(owner))
                            .map(MessageAck::handle)
                            .findFirst();
            if (ack.isPresent()) {
                lowest.add(ack.get());
            } else if (parked != null && !parked.isSent() && parked.call().stats() == owner) {
                lowest.add(parked.handle());
            }
        }
        return lowest;
    }

    private boolean answeredByState(Delivery delivery, int index, AckCall call) {
        if (delivery.letsGo(index)) {
            outlet.finish(call, AckOutcome.DROPPED);
            return true;
        }
        if (delivery.isSettled(index)) {
            outlet.finish(call, delivery.outcome(index));
            return true;
        }
        return false;
    }

    private Delivery deliveryOf(DeliveryKey key, RocketMQReceiptHandle handle, long now) {
        Delivery delivery = table.find(key);
        if (delivery == null) {
            if (table.size() >= limits.maxDeliveries()) {
                forgotten++;
                forget(table.oldest());
            }
            delivery = new Delivery(key);
            Delivery over = table.add(delivery);
            if (over != null) {
                supersede(over);
            }
        }
        long earliestEnd = now + order.timeoutMillis() + OrderPolicy.LEASE_MARGIN_MILLIS;
        delivery.learn(handle, earliestEnd);
        table.checkAt(delivery, delivery.endMillis());
        return delivery;
    }

    /**
     * The lite topic was delivered anew, so at the server everything of this delivery is settled or
     * visible again, and nothing that comes for it has an effect.
     */
    private void supersede(Delivery over) {
        over.supersede();
        acks.dropAll(over);
        deferrals.superseded(over);
    }

    /** True if the message comes back with a deferred one anyway, so that nothing extends it. */
    boolean letsGo(RocketMQReceiptHandle handle) {
        Delivery delivery = table.find(DeliveryKey.of(handle));
        return delivery != null && delivery.letsGo(handle.getIndexInDelivery());
    }

    /** The lease of a message was extended. */
    void extended(RocketMQReceiptHandle renewed) {
        Delivery delivery = table.find(DeliveryKey.of(renewed));
        if (delivery != null) {
            delivery.learn(renewed, renewed.getLeaseEndMillis());
        }
    }

    /** Lets go out, and forgets, whatever is due. */
    void onTime(long now) {
        Delivery delivery = table.pollDue(now);
        while (delivery != null) {
            if (delivery.endMillis() <= now) {
                forget(delivery);
            } else {
                check(delivery, now);
            }
            delivery = table.pollDue(now);
        }
    }

    private void check(Delivery delivery, long now) {
        boolean gaveUp = acks.releaseDue(delivery, now);
        deferrals.sendDue(delivery, now);
        table.checkAt(delivery, delivery.endMillis());
        acks.recheck(delivery);
        deferrals.recheck(delivery);
        if (gaveUp) {
            for (Delivery any : table.all()) {
                acks.letOut(any);
                deferrals.parkShorter(any, now);
            }
        }
    }

    /** Its lease is over, or there is no room: what waits leaves as it is. */
    private void forget(Delivery delivery) {
        acks.letOut(delivery);
        deferrals.sendNow(delivery);
        for (MessageAck ack : delivery.unsent()) {
            delivery.letsGoOf(ack);
            acks.letGo(ack, AckOutcome.STALE);
        }
        table.remove(delivery);
    }

    /** The owner of these calls is at its end: they wait for no place any more. */
    void flush(AckStats owner) {
        for (Delivery delivery : table.all()) {
            acks.releaseFor(delivery, owner);
            deferrals.urge(delivery, owner);
        }
    }

    /** The owner of these calls ends with its work undone: what waits for its place is let go. */
    void letGo(AckStats owner) {
        for (Delivery delivery : table.all()) {
            acks.dropFor(delivery, owner);
            deferrals.urge(delivery, owner);
        }
    }

    /** A deferral has its answer; that its delivery is deferred stays known. */
    void answered(Deferral deferral) {
        Delivery delivery = table.find(DeliveryKey.of(deferral.handle()));
        if (delivery != null && delivery.deferral() == deferral) {
            delivery.deferral(null);
        }
    }

    /** Forgets everything: the session is dead. */
    void clear() {
        table.clear();
        acks.clear();
    }

    /** When to call {@link #onTime} next; the end of time if nothing waits. */
    long nextCheck() {
        return table.nextCheck();
    }

    /** Number of deliveries known. */
    int size() {
        return table.size();
    }

    /** Number of acks that wait for their place. */
    int heldAcks() {
        return acks.size();
    }

    /** Number of deliveries forgotten because there was no room; any thread may ask. */
    long forgotten() {
        return forgotten;
    }
}
