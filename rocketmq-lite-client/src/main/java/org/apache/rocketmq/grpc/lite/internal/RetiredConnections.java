/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * Connections that are no longer used and may still have polls under way: closed after the time a
 * poll can take, or earlier when there are too many. Used on the I/O thread only.
 */
final class RetiredConnections {

    private static final int MAX = 4;
    private static final Duration REST = Duration.ofSeconds(25);

    private final Loop loop;
    private final Deque<Connection> connections = new ArrayDeque<>();

    RetiredConnections(Loop loop) {
        this.loop = loop;
    }

    /** Takes a connection out of use; its calls under way go on. */
    void add(Connection connection) {
        connection.retire();
        if (connections.size() == MAX) {
            connections.removeFirst().close();
        }
        connections.add(connection);
        loop.schedule(() -> expire(connection), REST);
    }

    /** Those not closed yet. */
    Collection<Connection> all() {
        return connections;
    }

    private void expire(Connection connection) {
        if (connections.remove(connection)) {
            connection.close();
        }
    }
}
