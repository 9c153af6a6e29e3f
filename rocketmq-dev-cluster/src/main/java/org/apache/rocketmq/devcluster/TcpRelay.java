/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Another port between a client and a server, on which a network can be made to fail.
 *
 * <p>Thread-safe. One daemon thread, {@code rocketmq-dev-relay-<port>}, moves all bytes and carries
 * out the methods, which return when they have taken effect; {@link #close} ends it and leaves no
 * socket behind.
 */
public final class TcpRelay implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int BIND_ATTEMPTS = 20;
    private static final long ACTION_SECONDS = 5;

    private final InetSocketAddress target;
    private final int port;
    private final Selector selector;
    private final Thread thread;

    /** Guarded by itself. */
    private final Queue<FutureTask<Void>> actions = new ArrayDeque<>();

    // touched by the relay's thread only, once it runs
    private final List<RelayConnection> connections = new ArrayList<>();
    private ServerSocketChannel listener;
    private boolean swallowing;

    private volatile boolean closed;

    private TcpRelay(InetSocketAddress target, Selector selector, ServerSocketChannel listener) {
        this.target = target;
        this.selector = selector;
        this.listener = listener;
        this.port = listener.socket().getLocalPort();
        this.thread = new Thread(this::run, "rocketmq-dev-relay-" + port);
        thread.setDaemon(true);
    }

    /** Starts a relay to the address on a free port. */
    public static TcpRelay to(String host, int port) {
        try {
            ServerSocketChannel listener = bindFreePort();
            TcpRelay relay =
                    new TcpRelay(new InetSocketAddress(host, port), Selector.open(), listener);
            relay.thread.start();
            return relay;
        } catch (IOException e) {
            throw new DevClusterException("cannot open a relay to " + host + ":" + port, e);
        }
    }

    /** Starts a relay to {@code host:port}, as {@link DevCluster#endpoints()} gives it. */
    public static TcpRelay to(String endpoints) {
        int colon = endpoints.lastIndexOf(':');
        return to(endpoints.substring(0, colon), Integer.parseInt(endpoints.substring(colon + 1)));
    }

    /** Where clients connect to instead. */
    public String endpoints() {
        return HOST + ":" + port;
    }

    /**
     * From now on connections are accepted and stay open, but every byte of either side is dropped,
     * those of existing connections too.
     */
    public void blackHole() {
        act(
                () -> {
                    listen();
                    swallow(true);
                    return null;
                });
    }

    /** Ends all present connections with RST; new ones fare as before. */
    public void reset() {
        act(
                () -> {
                    for (RelayConnection connection : connections) {
                        connection.reset();
                    }
                    return null;
                });
    }

    /** From now on new connections are refused; present ones stay as they are. */
    public void refuse() {
        act(
                () -> {
                    listener.close();
                    // a cancelled key holds the port until the next selection
                    selector.selectNow();
                    return null;
                });
    }

    /**
     * From now on everything is forwarded. A connection that lost bytes in a black hole is ended
     * with RST, for its streams have holes.
     */
    public void heal() {
        act(
                () -> {
                    listen();
                    swallow(false);
                    return null;
                });
    }

    /** Number of present connections. */
    int connectionCount() {
        int[] count = new int[1];
        act(
                () -> {
                    connections.removeIf(connection -> !connection.isOpen());
                    count[0] = connections.size();
                    return null;
                });
        return count[0];
    }

    /** Ends all connections with RST, frees the port, ends the thread. Idempotent. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ACTION_SECONDS);
        while (thread.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(ACTION_SECONDS));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void act(Callable<Void> action) {
        FutureTask<Void> task = new FutureTask<>(action);
        synchronized (actions) {
            actions.add(task);
        }
        selector.wakeup();
        try {
            if (closed) {
                throw new IllegalStateException("the relay at " + endpoints() + " is closed");
            }
            task.get(ACTION_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new DevClusterException("the relay at " + endpoints() + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DevClusterException("interrupted", e);
        }
    }

    private void run() {
        try {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (!closed) {
                selector.select();
                runActions();
                for (SelectionKey key : selector.selectedKeys()) {
                    handle(key);
                }
                selector.selectedKeys().clear();
                connections.removeIf(connection -> !connection.isOpen());
            }
        } catch (IOException e) {
            closed = true;
            throw new DevClusterException("the relay at " + endpoints() + " broke", e);
        } finally {
            closeAll();
        }
    }

    private void runActions() {
        FutureTask<Void> action = nextAction();
        while (action != null) {
            action.run();
            action = nextAction();
        }
    }

    private FutureTask<Void> nextAction() {
        synchronized (actions) {
            return actions.poll();
        }
    }

    private void handle(SelectionKey key) throws IOException {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            SocketChannel client = listener.accept();
            if (client != null) {
                RelayConnection connection = RelayConnection.open(selector, client, target);
                connections.add(connection);
                if (swallowing) {
                    connection.swallow(true);
                }
            }
        } else {
            ((RelayConnection) key.attachment()).ready();
        }
    }

    private void swallow(boolean swallow) throws IOException {
        swallowing = swallow;
        for (RelayConnection connection : connections) {
            connection.swallow(swallow);
        }
    }

    private void listen() throws IOException {
        if (!listener.isOpen()) {
            listener = bind(port);
            listener.register(selector, SelectionKey.OP_ACCEPT);
        }
    }

    private void closeAll() {
        try {
            for (RelayConnection connection : connections) {
                connection.reset();
            }
            listener.close();
            selector.close();
        } catch (IOException e) {
            throw new DevClusterException("the relay at " + endpoints() + " did not close", e);
        }
    }

    private static ServerSocketChannel bindFreePort() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return bind(Ports.chooseOne());
            } catch (BindException e) {
                if (attempt == BIND_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static ServerSocketChannel bind(int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(HOST, port));
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}
