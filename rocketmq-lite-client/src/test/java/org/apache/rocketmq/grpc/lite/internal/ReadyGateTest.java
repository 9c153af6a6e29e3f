/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls that wait for a session. */
class ReadyGateTest {

    private static final Duration BOUND = Duration.ofSeconds(3);

    private final ManualLoop loop = new ManualLoop();
    private final TestChannel channel = new TestChannel();
    private final ReadyGate gate = new ReadyGate(loop, "host:1");

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    @Test
    void whoComesWhileThereIsASessionPassesAtOnce() {
        gate.open(channel.get());
        assertThat(gate.pass(BOUND)).isCompletedWithValue(channel.get());
        assertThat(loop.timers()).isZero();
    }

    @Test
    void whoComesBeforeWaitsForIt() {
        CompletableFuture<RpcChannel> first = gate.pass(BOUND);
        CompletableFuture<RpcChannel> second = gate.pass(BOUND);
        loop.advance(Duration.ofMillis(2_999));
        assertThat(first).isNotDone();
        gate.open(channel.get());
        assertThat(first).isCompletedWithValue(channel.get());
        assertThat(second).isCompletedWithValue(channel.get());
        assertThat(loop.timers()).isZero();
    }

    @Test
    void noCallWaitsLongerThanItsBound() {
        CompletableFuture<RpcChannel> call = gate.pass(BOUND);
        loop.advance(BOUND);
        RpcException failure = failureOf(call);
        assertThat(failure.kind()).isEqualTo(ErrorKind.TRANSIENT);
        assertThat(failure).hasMessage("no session with host:1 within 3000 ms");
        gate.open(channel.get());
        assertThat(gate.pass(BOUND)).isCompletedWithValue(channel.get());
    }

    @Test
    void whoComesBetweenTwoSessionsWaits() {
        gate.open(channel.get());
        gate.close();
        CompletableFuture<RpcChannel> call = gate.pass(BOUND);
        assertThat(call).isNotDone();
        gate.open(channel.get());
        assertThat(call).isCompleted();
    }

    @Test
    void aRefusalMeetsWhoWaitsAndWhoComesUntilThereIsASessionAgain() {
        CompletableFuture<RpcChannel> waiting = gate.pass(BOUND);
        RpcException why =
                new RpcException(ErrorKind.FATAL, "UNAUTHORIZED", "", "host:1", "no", null);
        gate.refuse(why);
        assertThat(failureOf(waiting)).isSameAs(why);
        assertThat(failureOf(gate.pass(BOUND))).isSameAs(why);
        gate.open(channel.get());
        assertThat(gate.pass(BOUND)).isCompleted();
    }

    private static RpcException failureOf(CompletableFuture<?> future) {
        assertThat(future).isCompletedExceptionally();
        return (RpcException)
                catchThrowableOfType(CompletionException.class, future::join).getCause();
    }
}
