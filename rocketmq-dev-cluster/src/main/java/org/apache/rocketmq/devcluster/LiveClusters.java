/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Ends what is still running, and deletes what is temporary, when this JVM ends in order. */
final class LiveClusters {

    private static final Set<Runnable> ENDS = new LinkedHashSet<>();
    private static boolean hooked;

    private LiveClusters() {}

    static void add(Runnable end) {
        synchronized (ENDS) {
            if (!hooked) {
                Runtime.getRuntime()
                        .addShutdownHook(
                                new Thread(LiveClusters::endAll, "rocketmq-dev-cluster-shutdown"));
                hooked = true;
            }
            ENDS.add(end);
        }
    }

    static void remove(Runnable end) {
        synchronized (ENDS) {
            ENDS.remove(end);
        }
    }

    private static void endAll() {
        List<Runnable> ends;
        synchronized (ENDS) {
            ends = new ArrayList<>(ENDS);
        }
        RuntimeException failure = null;
        for (Runnable end : ends) {
            try {
                end.run();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
