/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Settings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A session whose parts throw what they must not. */
@Timeout(30)
class ClientSessionTest {

    private final IoLoop loop = new IoLoop("defect");

    @Test
    void anErrorWhileConnectingFailsTheStartAtOnceAndEndsTheThread() {
        ClientSession session = session(new NoClassDefFoundError("missing"), false);
        long start = System.nanoTime();
        assertBroken(session.start());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
        awaitNoThread();
    }

    @Test
    void anErrorInAHandshakeStepFailsTheStartWithinItsBudget() {
        ClientSession session = session(new IllegalStateException("defect"), true);
        assertThatThrownBy(() -> session.start().get(15, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("IllegalStateException: defect");
        awaitNoThread();
    }

    @Test
    void anErrorInACallFailsThatCallAndThoseAfterIt() {
        ClientSession session = session(new NoClassDefFoundError("missing"), false);
        CompletableFuture<String> call =
                session.onLoop(
                        result -> {
                            throw new NoClassDefFoundError("missing");
                        });
        assertBroken(call);
        SessionEnd.await(session.close(), loop);
        awaitNoThread();
    }

    private static void assertBroken(CompletableFuture<?> call) {
        assertThatThrownBy(() -> call.get(8, TimeUnit.SECONDS))
                .cause()
                .isInstanceOfSatisfying(
                        RpcException.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(ErrorKind.FATAL);
                            assertThat(e.code()).isEqualTo("CLIENT_BROKEN");
                            assertThat(e).hasRootCauseInstanceOf(NoClassDefFoundError.class);
                        });
    }

    private static void awaitNoThread() {
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(
                        () ->
                                assertThat(Thread.getAllStackTraces().keySet())
                                        .noneMatch(t -> t.getName().startsWith("rocketmq-defect")));
    }

    private ClientSession session(Throwable thrown, boolean later) {
        LiteClientConfig config =
                LiteClientConfig.builder().endpoints(Endpoints.parse("127.0.0.1:1")).build();
        return new ClientSession(config, new DefectiveRole(thrown, later), loop);
    }

    /** A role that throws where it should answer. */
    private static final class DefectiveRole implements SessionRole {
        private final Throwable thrown;
        private final boolean later;

        /**
         * @param later in a continuation instead of in the call itself
         */
        DefectiveRole(Throwable thrown, boolean later) {
            this.thrown = thrown;
            this.later = later;
        }

        @Override
        public String name() {
            return "defect";
        }

        @Override
        public String topic() {
            return "topic";
        }

        @Override
        public String group() {
            return "group";
        }

        @Override
        public List<ClientType> clientTypes() {
            return ConsumerSettings.TYPES;
        }

        @Override
        public Settings settings(ClientType type, Endpoints.Address address) {
            return Settings.getDefaultInstance();
        }

        @Override
        public CompletableFuture<Void> prepare(RpcChannel channel, Duration timeout) {
            if (!later) {
                throw (Error) thrown;
            }
            return CompletableFuture.failedFuture(thrown);
        }

        @Override
        public CompletableFuture<Void> opened(RpcChannel channel, boolean first, Duration timeout) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> bury(RpcChannel ghost, Duration timeout) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> leave(RpcChannel channel) {
            return CompletableFuture.completedFuture(null);
        }
    }
}
