/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * Connections that are no longer used. Some may still have polls under way: they are closed after
 * the time a poll can take, or earlier when there are too many. Others are closed and still ending:
 * their I/O thread must outlive them, or their socket stays open. Used on the I/O thread only.
 */
final class RetiredConnections {

    private static final int MAX = 4;
    private static final Duration REST = Duration.ofSeconds(25);

    private final Loop loop;
    private final Deque<Connection> connections = new ArrayDeque<>();
    private final List<Connection> ending = new ArrayList<>();

    RetiredConnections(Loop loop) {
        this.loop = loop;
    }

    /** Takes a connection out of use; its calls under way go on. */
    void add(Connection connection) {
        connection.retire();
        if (connections.size() == MAX) {
            close(connections.removeFirst());
        }
        connections.add(connection);
        loop.schedule(() -> expire(connection), REST);
    }

    /** Closes a connection. */
    void close(Connection connection) {
        connection.close();
        ending.removeIf(closed -> closed.channel().isTerminated());
        ending.add(connection);
    }

    /** Those that have not ended yet. */
    Collection<Connection> all() {
        List<Connection> all = new ArrayList<>(ending);
        all.addAll(connections);
        return all;
    }

    private void expire(Connection connection) {
        if (connections.remove(connection)) {
            close(connection);
        }
    }
}
