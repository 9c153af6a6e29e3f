/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one reader: the same number for every readable broker.
 *
 * <p>Follows the route: a broker that appears gets workers, those of one that goes are retired, and
 * revived when it returns. {@link #follow} is called on the client's I/O thread, {@link #pollAll}
 * by anybody; one lock guards the map and no worker is called under it.
 */
final class BrokerWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(BrokerWorkers.class);

    private final int perBroker;
    private final Function<String, ReceiveWorker> newWorker;
    private final Map<String, List<ReceiveWorker>> workers = new LinkedHashMap<>();

    /**
     * @param perBroker workers per broker, at least 1
     * @param newWorker makes a worker for a broker
     */
    BrokerWorkers(int perBroker, Function<String, ReceiveWorker> newWorker) {
        this.perBroker = perBroker;
        this.newWorker = newWorker;
    }

    /** Makes these brokers the ones that are polled. */
    void follow(Set<String> brokers) {
        List<ReceiveWorker> present = new ArrayList<>();
        List<ReceiveWorker> gone = new ArrayList<>();
        synchronized (this) {
            workers.values().removeIf(BrokerWorkers::areDone);
            for (Map.Entry<String, List<ReceiveWorker>> known : workers.entrySet()) {
                if (!brokers.contains(known.getKey())) {
                    gone.addAll(known.getValue());
                }
            }
            for (String broker : brokers) {
                present.addAll(workers.computeIfAbsent(broker, this::workersFor));
            }
        }
        gone.forEach(ReceiveWorker::retire);
        present.forEach(ReceiveWorker::revive);
        LOG.info("receiving from brokers {} with {} long polls each", brokers, perBroker);
    }

    private static boolean areDone(List<ReceiveWorker> ofBroker) {
        return ofBroker.stream().allMatch(ReceiveWorker::isDone);
    }

    private List<ReceiveWorker> workersFor(String broker) {
        List<ReceiveWorker> made = new ArrayList<>(perBroker);
        for (int i = 0; i < perBroker; i++) {
            made.add(newWorker.apply(broker));
        }
        return made;
    }

    /** Lets every worker poll that can. */
    void pollAll() {
        all().forEach(ReceiveWorker::pollIfRoom);
    }

    /** True if no worker polls or waits for the end of a pause between polls. */
    boolean areHeldBack() {
        List<ReceiveWorker> all = all();
        return !all.isEmpty() && all.stream().allMatch(ReceiveWorker::isHeldBack);
    }

    private synchronized List<ReceiveWorker> all() {
        List<ReceiveWorker> all = new ArrayList<>();
        workers.values().forEach(all::addAll);
        return all;
    }
}
