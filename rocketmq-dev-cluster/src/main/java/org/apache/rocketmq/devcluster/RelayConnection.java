/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One relayed connection: a client's socket, a socket to the target, and a buffer for each way.
 * Only the relay's thread touches it.
 */
final class RelayConnection {

    private final Selector selector;
    private final SocketChannel client;
    private final SocketChannel target;
    private final Way toTarget;
    private final Way toClient;
    private boolean swallowing;
    private boolean lossy;
    private boolean open = true;

    private RelayConnection(Selector selector, SocketChannel client, SocketChannel target) {
        this.selector = selector;
        this.client = client;
        this.target = target;
        this.toTarget = new Way(client, target);
        this.toClient = new Way(target, client);
    }

    /** Connects the accepted client to the target, without waiting for it. */
    static RelayConnection open(Selector selector, SocketChannel client, InetSocketAddress target)
            throws IOException {
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        SocketChannel upstream = SocketChannel.open();
        upstream.configureBlocking(false);
        upstream.setOption(StandardSocketOptions.TCP_NODELAY, true);
        RelayConnection connection = new RelayConnection(selector, client, upstream);
        try {
            upstream.connect(target);
            connection.updateInterest();
        } catch (IOException e) {
            connection.reset();
        }
        return connection;
    }

    boolean isOpen() {
        return open;
    }

    /** From now on, or no longer, what arrives is dropped; the sockets stay open. */
    void swallow(boolean swallow) throws IOException {
        swallowing = swallow;
        if (swallow) {
            lossy |= toTarget.discard() | toClient.discard();
        } else if (lossy) {
            // a stream with a hole in it must not go on
            reset();
            return;
        }
        updateInterest();
    }

    /** Moves what can be moved; called when a socket is ready. */
    void ready() throws IOException {
        if (!open) {
            return;
        }
        try {
            if (target.isConnectionPending() && !target.finishConnect()) {
                return;
            }
            if (swallowing) {
                lossy |= toTarget.readAndDiscard() | toClient.readAndDiscard();
            } else {
                toTarget.move();
                toClient.move();
            }
            if (toTarget.ended && toClient.ended) {
                close(false);
            } else {
                updateInterest();
            }
        } catch (IOException e) {
            // one side failed: the other side learns it
            reset();
        }
    }

    /** Ends both sides with RST. */
    void reset() throws IOException {
        close(true);
    }

    private void close(boolean abruptly) throws IOException {
        open = false;
        for (SocketChannel channel : new SocketChannel[] {client, target}) {
            if (abruptly && channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
            channel.close();
        }
    }

    private void updateInterest() throws IOException {
        if (!open) {
            return;
        }
        if (target.isConnectionPending()) {
            register(target, SelectionKey.OP_CONNECT);
            register(client, 0);
            return;
        }
        register(client, toTarget.readInterest() | toClient.writeInterest());
        register(target, toClient.readInterest() | toTarget.writeInterest());
    }

    private void register(SocketChannel channel, int operations) throws IOException {
        SelectionKey key = channel.keyFor(selector);
        if (key == null) {
            channel.register(selector, operations, this);
        } else if (key.isValid()) {
            key.interestOps(operations);
        }
    }

    /** One direction: at most one buffer full is on its way, more waits in the sender's socket. */
    private static final class Way {

        private static final int BUFFER_BYTES = 32 * 1024;

        private final SocketChannel from;
        private final SocketChannel to;
        private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
        private boolean sourceEnded;
        private boolean ended;

        private Way(SocketChannel from, SocketChannel to) {
            this.from = from;
            this.to = to;
        }

        private void move() throws IOException {
            if (!buffer.hasRemaining() && !sourceEnded) {
                read();
            }
            if (buffer.hasRemaining()) {
                to.write(buffer);
            }
            if (sourceEnded && !ended && !buffer.hasRemaining()) {
                ended = true;
                to.shutdownOutput();
            }
        }

        private void read() throws IOException {
            buffer.clear();
            sourceEnded = from.read(buffer) < 0;
            buffer.flip();
        }

        private boolean readAndDiscard() throws IOException {
            if (!sourceEnded) {
                read();
            }
            return discard() || sourceEnded;
        }

        /** Whether there was something to lose. */
        private boolean discard() {
            boolean lost = buffer.hasRemaining();
            buffer.limit(0);
            return lost;
        }

        private int readInterest() {
            return sourceEnded || buffer.hasRemaining() ? 0 : SelectionKey.OP_READ;
        }

        private int writeInterest() {
            return buffer.hasRemaining() ? SelectionKey.OP_WRITE : 0;
        }
    }
}
