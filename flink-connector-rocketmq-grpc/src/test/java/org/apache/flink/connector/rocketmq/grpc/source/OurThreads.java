/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The threads that a source may own, alive now; by name and id. */
final class OurThreads {

    private OurThreads() {}

    static Set<String> alive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> isOurs(t.getName()))
                .map(t -> t.getName() + " (" + t.getId() + ")")
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOurs(String name) {
        return name.startsWith("rocketmq-")
                || name.startsWith("grpc-")
                || name.startsWith("Source Data Fetcher");
    }
}
