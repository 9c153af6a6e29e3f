/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;

/**
 * Which receipt handles wait for which checkpoint. A checkpoint covers everything that came before
 * it was taken, so a completed one also settles what earlier ones were to settle, whether their
 * notice was lost, is late, or they were aborted. For the task thread.
 *
 * <p>Bounded: beyond it a handle is let go and counted, and with it what follows of its delivery,
 * because an ack behind it would gain nothing. What is settled no longer counts at once, and is
 * forgotten when a half of the bound is.
 */
final class PendingHandles {

    private static final int MAX_LET_GO_DELIVERIES = 16_384;

    private final int max;
    private final Counter letGo;
    private final TreeMap<Long, List<PendingHandle>> byCheckpoint = new TreeMap<>();
    private final Set<PendingHandle> underWay = new LinkedHashSet<>();
    private final Map<UnfinishedMessages.Key, Boolean> letGoDeliveries = new LinkedHashMap<>();

    /** How many of those under way have their answer; threads of the client count. */
    private final AtomicInteger answered = new AtomicInteger();

    private List<PendingHandle> current = new ArrayList<>();
    private volatile int waiting;

    PendingHandles(int max, Counter letGo) {
        this.max = max;
        this.letGo = letGo;
    }

    /** The value of this handle was emitted. */
    void add(RocketMQReceiptHandle handle, long nowMillis) {
        UnfinishedMessages.Key delivery = new UnfinishedMessages.Key(handle);
        if (isFull() || letGoDeliveries.containsKey(delivery)) {
            letGo.inc();
            rememberLetGo(delivery);
            return;
        }
        current.add(begun(handle, nowMillis));
        waiting++;
    }

    private boolean isFull() {
        if (answered.get() > max / 2) {
            forgetAnswered();
        }
        return size() >= max;
    }

    private void forgetAnswered() {
        int before = underWay.size();
        underWay.removeIf(PendingHandle::isDone);
        answered.addAndGet(underWay.size() - before);
    }

    private PendingHandle begun(RocketMQReceiptHandle handle, long nowMillis) {
        return new PendingHandle(handle, nowMillis, answered::incrementAndGet);
    }

    private void rememberLetGo(UnfinishedMessages.Key delivery) {
        letGoDeliveries.put(delivery, Boolean.TRUE);
        if (letGoDeliveries.size() > MAX_LET_GO_DELIVERIES) {
            Iterator<UnfinishedMessages.Key> oldestFirst = letGoDeliveries.keySet().iterator();
            oldestFirst.next();
            oldestFirst.remove();
        }
    }

    /** These were in the state that was restored, so their checkpoint is complete. */
    List<PendingHandle> restore(Iterable<PendingDelivery> state, long nowMillis) {
        List<PendingHandle> restored = new ArrayList<>();
        for (PendingDelivery delivery : state) {
            for (RocketMQReceiptHandle handle : delivery.handles()) {
                restored.add(begun(handle, nowMillis));
            }
        }
        underWay.addAll(restored);
        return restored;
    }

    /**
     * A checkpoint is taken: it covers everything that came so far.
     *
     * @return what belongs into it: all that no answer says is settled
     */
    List<PendingDelivery> snapshot(long checkpointId) {
        byCheckpoint.put(checkpointId, current);
        current = new ArrayList<>();
        forgetAnswered();
        Map<UnfinishedMessages.Key, List<RocketMQReceiptHandle>> deliveries = new LinkedHashMap<>();
        underWay.forEach(pending -> group(deliveries, pending));
        byCheckpoint.values().forEach(batch -> batch.forEach(p -> group(deliveries, p)));
        List<PendingDelivery> state = new ArrayList<>(deliveries.size());
        deliveries.values().forEach(handles -> state.add(new PendingDelivery(handles)));
        return state;
    }

    private static void group(
            Map<UnfinishedMessages.Key, List<RocketMQReceiptHandle>> deliveries,
            PendingHandle pending) {
        RocketMQReceiptHandle handle = pending.handle();
        deliveries
                .computeIfAbsent(new UnfinishedMessages.Key(handle), key -> new ArrayList<>())
                .add(handle);
    }

    /**
     * A checkpoint is complete.
     *
     * @return what it covers, to be acked; nothing if this checkpoint is not known
     */
    List<PendingHandle> complete(long checkpointId) {
        List<PendingHandle> covered = new ArrayList<>();
        if (byCheckpoint.containsKey(checkpointId)) {
            NavigableMap<Long, List<PendingHandle>> upTo = byCheckpoint.headMap(checkpointId, true);
            upTo.values().forEach(covered::addAll);
            upTo.clear();
        }
        waiting -= covered.size();
        underWay.addAll(covered);
        return covered;
    }

    /** A checkpoint is given up: what it would have covered waits for the next one. */
    void aborted(long checkpointId) {
        List<PendingHandle> batch = byCheckpoint.remove(checkpointId);
        if (batch == null) {
            return;
        }
        Map.Entry<Long, List<PendingHandle>> next = byCheckpoint.higherEntry(checkpointId);
        (next == null ? current : next.getValue()).addAll(0, batch);
    }

    /** Visits what waits for a checkpoint, the oldest first. */
    Iterable<PendingHandle> waiting() {
        List<PendingHandle> all = new ArrayList<>(waiting);
        byCheckpoint.values().forEach(all::addAll);
        all.addAll(current);
        return all;
    }

    /**
     * Messages whose deliveries stand in no checkpoint that may be restored: if the task ends, they
     * come back for sure.
     */
    Collection<RocketMQReceiptHandle> uncovered() {
        Map<UnfinishedMessages.Key, RocketMQReceiptHandle> uncovered = new LinkedHashMap<>();
        for (PendingHandle pending : current) {
            uncovered.putIfAbsent(new UnfinishedMessages.Key(pending.handle()), pending.handle());
        }
        byCheckpoint
                .values()
                .forEach(
                        batch ->
                                batch.forEach(
                                        p ->
                                                uncovered.remove(
                                                        new UnfinishedMessages.Key(p.handle()))));
        return uncovered.values();
    }

    /** Handles that wait for a checkpoint or whose ack is under way; any thread may ask. */
    int size() {
        return waiting + underWay.size() - answered.get();
    }

    /** Checkpoints known that are neither complete nor aborted. */
    int checkpoints() {
        return byCheckpoint.size();
    }
}
