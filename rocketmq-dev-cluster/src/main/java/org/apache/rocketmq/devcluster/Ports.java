/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses free ports below the range from which the system gives ports to outgoing connections, so
 * that a cluster finds its ports free again when it is restarted.
 *
 * <p>All ports of one choice are held until the last is found; another process can still take one
 * before the cluster binds it, which is why a start is tried again with other ports.
 */
final class Ports {

    private static final int FIRST = 10_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 2_000;

    /** A broker listens at p (clients), p - 2 (a second listener) and p + 1 (replication). */
    private static final int[] BROKER_OFFSETS = {0, -2, 1};

    private static final int[] SINGLE = {0};

    private Ports() {}

    /**
     * Ports for a name server, a proxy and brokers, in this order.
     *
     * @param proxyPort a fixed port for the proxy, 0 for a free one
     */
    static List<Integer> choose(int brokers, int proxyPort) {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>();
        try {
            if (proxyPort != 0 && !hold(proxyPort, SINGLE, held)) {
                throw new DevClusterException("proxyPort: " + proxyPort + " is taken");
            }
            ports.add(find(SINGLE, held));
            ports.add(proxyPort != 0 ? proxyPort : find(SINGLE, held));
            for (int i = 0; i < brokers; i++) {
                ports.add(find(BROKER_OFFSETS, held));
            }
            return ports;
        } finally {
            held.forEach(Ports::release);
        }
    }

    /** One free port. */
    static int chooseOne() {
        List<ServerSocket> held = new ArrayList<>();
        try {
            return find(SINGLE, held);
        } finally {
            held.forEach(Ports::release);
        }
    }

    private static int find(int[] offsets, List<ServerSocket> held) {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST + 2, END - 1);
            if (hold(port, offsets, held)) {
                return port;
            }
        }
        throw new DevClusterException("no free port between " + FIRST + " and " + END);
    }

    /** Binds all of port + offset, or none. */
    private static boolean hold(int port, int[] offsets, List<ServerSocket> held) {
        List<ServerSocket> bound = new ArrayList<>();
        for (int offset : offsets) {
            ServerSocket socket = bind(port + offset);
            if (socket == null) {
                bound.forEach(Ports::release);
                return false;
            }
            bound.add(socket);
        }
        held.addAll(bound);
        return true;
    }

    /** Null if the port is taken. */
    private static ServerSocket bind(int port) {
        ServerSocket socket = null;
        try {
            socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return socket;
        } catch (IOException e) {
            release(socket);
            return null;
        }
    }

    private static void release(ServerSocket socket) {
        if (socket == null) {
            return;
        }
        try {
            socket.close();
        } catch (IOException e) {
            throw new DevClusterException("cannot release port " + socket.getLocalPort(), e);
        }
    }
}
