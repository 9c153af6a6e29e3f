/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TcpRelayITCase {

    private static final int READ_TIMEOUT_MS = 300;

    private final ExecutorService executor = Executors.newCachedThreadPool();
    private ServerSocket echo;
    private TcpRelay relay;

    @BeforeEach
    void startEchoBehindARelay() throws Exception {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        executor.execute(this::acceptForEver);
        relay = TcpRelay.to("127.0.0.1", echo.getLocalPort());
    }

    @AfterEach
    void closeBoth() throws Exception {
        relay.close();
        echo.close();
        executor.shutdownNow();
    }

    @Test
    void everyByteArrivesBothWaysUnderBackPressure() throws Exception {
        byte[] sent = new byte[5_000_000];
        new Random(1).nextBytes(sent);
        try (Socket socket = connect()) {
            socket.setSoTimeout(10_000);
            CompletableFuture<Void> writer =
                    CompletableFuture.runAsync(() -> writeAndEnd(socket, sent), executor);

            assertThat(socket.getInputStream().readAllBytes()).isEqualTo(sent);
            writer.join();
        }
    }

    @Test
    void aBlackHoleAcceptsAndSwallowsWithoutClosing() throws Exception {
        try (Socket before = connect()) {
            assertThat(echoed(before, 1)).isEqualTo(1);

            relay.blackHole();

            assertSwallows(before);
            try (Socket during = connect()) {
                assertSwallows(during);
            }
        }
    }

    @Test
    void healingResetsWhatLostBytesAndForwardsNewConnections() throws Exception {
        try (Socket lossy = connect();
                Socket intact = connect()) {
            assertThat(echoed(lossy, 1)).isEqualTo(1);
            assertThat(echoed(intact, 2)).isEqualTo(2);
            relay.blackHole();
            assertSwallows(lossy);

            relay.heal();

            assertThatThrownBy(() -> echoed(lossy, 3)).isInstanceOf(SocketException.class);
            assertThat(echoed(intact, 4)).isEqualTo(4);
            try (Socket after = connect()) {
                assertThat(echoed(after, 5)).isEqualTo(5);
            }
        }
    }

    @Test
    void resetEndsPresentConnectionsAndServesNewOnes() throws Exception {
        try (Socket before = connect()) {
            assertThat(echoed(before, 1)).isEqualTo(1);

            relay.reset();

            assertThatThrownBy(() -> before.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
            try (Socket after = connect()) {
                assertThat(echoed(after, 2)).isEqualTo(2);
            }
        }
    }

    @Test
    void refusedPortComesBackWithItsNumber() throws Exception {
        String endpoints = relay.endpoints();
        try (Socket before = connect()) {
            assertThat(echoed(before, 1)).isEqualTo(1);

            relay.refuse();

            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThat(echoed(before, 2)).isEqualTo(2);

            relay.heal();

            assertThat(relay.endpoints()).isEqualTo(endpoints);
            try (Socket after = connect()) {
                assertThat(echoed(after, 3)).isEqualTo(3);
            }
        }
    }

    @Test
    void aTargetThatIsNotThereResetsTheClient() throws Exception {
        try (Socket bound = new Socket()) {
            // holds a port on which nobody listens
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            relay.close();
            relay = TcpRelay.to("127.0.0.1", bound.getLocalPort());
            // The reset may come before the connecting client has set its options.
            assertThatThrownBy(
                            () -> {
                                try (Socket socket = connect()) {
                                    echoed(socket, 1);
                                }
                            })
                    .isInstanceOf(SocketException.class);
        }
    }

    @Test
    void closeLeavesNeitherPortNorThread() throws Exception {
        String thread = "rocketmq-dev-relay-" + port();
        threadNames().contains(thread);
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);

            relay.close();
            relay.close();

            threadNames().doesNotContain(thread);
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketException.class);
            assertThatThrownBy(relay::heal)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed");
        }
    }

    @Test
    void manyConnectionsShareOneThread() throws Exception {
        Socket[] sockets = new Socket[50];
        for (int i = 0; i < sockets.length; i++) {
            sockets[i] = connect();
            assertThat(echoed(sockets[i], i)).isEqualTo(i);
        }

        assertThat(relay.connectionCount()).isEqualTo(sockets.length);
        threadNames().filteredOn(n -> n.startsWith("rocketmq-dev-relay-")).hasSize(1);
        for (Socket socket : sockets) {
            socket.close();
        }
        await().atMost(Duration.ofSeconds(5)).until(() -> relay.connectionCount() == 0);
    }

    private static ListAssert<String> threadNames() {
        return assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName));
    }

    private int port() {
        return Integer.parseInt(relay.endpoints().substring("127.0.0.1:".length()));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress("127.0.0.1", port()), 2_000);
        socket.setSoTimeout(5_000);
        return socket;
    }

    private static int echoed(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        return socket.getInputStream().read();
    }

    private static void assertSwallows(Socket socket) throws IOException {
        socket.setSoTimeout(READ_TIMEOUT_MS);
        assertThatThrownBy(() -> echoed(socket, 7)).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(5_000);
    }

    private static void writeAndEnd(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void acceptForEver() {
        while (!echo.isClosed()) {
            try {
                Socket socket = echo.accept();
                executor.execute(() -> echo(socket));
            } catch (IOException e) {
                assertThat(echo.isClosed()).isTrue();
            }
        }
    }

    private static void echo(Socket socket) {
        try (Socket open = socket;
                InputStream in = open.getInputStream()) {
            in.transferTo(open.getOutputStream());
        } catch (IOException e) {
            assertThat(socket.isClosed()).isTrue();
        }
    }
}
