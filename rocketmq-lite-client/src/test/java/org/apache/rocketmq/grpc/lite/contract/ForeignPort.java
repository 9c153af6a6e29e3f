/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A listener that is no gRPC server. Owns one daemon thread, which ends at close. */
final class ForeignPort implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Socket> accepted = new ArrayList<>();
    private final byte[] greeting;

    private ForeignPort(byte[] greeting) throws IOException {
        this.greeting = greeting;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::accept, "foreign-port");
        thread.setDaemon(true);
        thread.start();
    }

    /** Answers like a web server that does not know HTTP/2. */
    static ForeignPort http1() throws IOException {
        String answer =
                "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        return new ForeignPort(answer.getBytes(StandardCharsets.US_ASCII));
    }

    /** Accepts and says nothing. */
    static ForeignPort silent() throws IOException {
        return new ForeignPort(new byte[0]);
    }

    /** Holds a loopback port where nobody listens until it is closed. */
    static Socket closedPort() throws IOException {
        Socket bound = new Socket();
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return bound;
    }

    String endpoints() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        synchronized (accepted) {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                synchronized (accepted) {
                    accepted.add(socket);
                }
                if (greeting.length > 0) {
                    OutputStream out = socket.getOutputStream();
                    out.write(greeting);
                    out.flush();
                }
            } catch (IOException closedOrReset) {
                Thread.yield();
            }
        }
    }
}
