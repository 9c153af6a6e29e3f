/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.NotifyClientTerminationRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of a session, in this order and each step bounded: the role takes leave, the server is
 * told, the connections close, the I/O thread ends.
 *
 * <p>{@link #run} belongs to the I/O thread, the rest may be called from any.
 */
final class SessionEnd {

    /** No close takes longer, whatever the server does. */
    static final Duration LIMIT = Duration.ofSeconds(2);

    private static final Duration MAX_POLITENESS = Duration.ofMillis(1500);
    private static final Duration MAX_GOODBYE = Duration.ofMillis(300);
    private static final Duration MAX_DISCONNECTED = Duration.ofMillis(1750);
    private static final Duration CHECK_PERIOD = Duration.ofMillis(5);

    private final IoLoop loop;
    private final SessionRole role;
    private final String namespace;
    private final CompletableFuture<Void> future = new CompletableFuture<>();
    private final List<Connection> connections = new ArrayList<>();
    private long deadline;
    private boolean disconnecting;

    SessionEnd(IoLoop loop, SessionRole role, String namespace) {
        this.loop = loop;
        this.role = role;
        this.namespace = namespace;
    }

    /** Completes when nothing but the I/O thread is left to end. */
    CompletableFuture<Void> future() {
        return future;
    }

    /** Nothing is left to do. */
    void complete() {
        loop.shutdown();
        future.complete(null);
    }

    /**
     * Ends everything. Called once.
     *
     * @param last the connection in use; may be null
     * @param polite whether there is a session to take leave of
     * @param retired connections that were in use before and have not ended
     */
    void run(Connection last, boolean polite, Collection<Connection> retired) {
        deadline = loop.nanoTime() + MAX_DISCONNECTED.toNanos();
        connections.addAll(retired);
        if (last != null) {
            connections.add(last);
        }
        if (!polite) {
            disconnect();
            return;
        }
        Loop.Timer limit = loop.schedule(this::disconnect, MAX_POLITENESS);
        role.leave(last.channel())
                .thenCompose(done -> sayGoodbye(last.channel()))
                .whenComplete(
                        (done, error) -> {
                            limit.cancel();
                            disconnect();
                        });
    }

    /**
     * Waits for the end of a session and of its thread, for at most {@link #LIMIT}. An interrupt
     * does not shorten that, because the caller must not go on beside a living client; the flag is
     * kept.
     */
    static void await(CompletableFuture<Void> end, IoLoop loop) {
        await(end, loop, System.nanoTime() + LIMIT.toNanos());
    }

    /** The same until a time of {@link System#nanoTime()}. */
    static void await(CompletableFuture<Void> end, IoLoop loop, long deadline) {
        if (loop.inLoop()) {
            return;
        }
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            long left = Math.max(1, deadline - System.nanoTime());
            try {
                end.get(left, TimeUnit.NANOSECONDS);
                loop.awaitEnd(Math.max(1, deadline - System.nanoTime()));
                waiting = false;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException | TimeoutException e) {
                waiting = false;
            }
        }
        loop.shutdown();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells the server that a client id is used no more. Fails with RpcException. */
    CompletableFuture<Void> sayGoodbye(RpcChannel channel) {
        NotifyClientTerminationRequest.Builder request =
                NotifyClientTerminationRequest.newBuilder();
        if (!role.group().isEmpty()) {
            request.setGroup(Requests.resource(namespace, role.group()));
        }
        return channel.call(
                        MessagingServiceGrpc.getNotifyClientTerminationMethod(),
                        request.build(),
                        MAX_GOODBYE)
                .thenAccept(answer -> {});
    }

    private void disconnect() {
        if (disconnecting) {
            return;
        }
        disconnecting = true;
        for (Connection connection : connections) {
            connection.close();
        }
        awaitTermination();
    }

    private void awaitTermination() {
        boolean terminated = true;
        for (Connection connection : connections) {
            terminated &= connection.channel().isTerminated();
        }
        if (terminated || loop.nanoTime() - deadline >= 0) {
            complete();
        } else {
            loop.schedule(this::awaitTermination, CHECK_PERIOD);
        }
    }
}
