/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.HeartbeatRequest;
import apache.rocketmq.v2.HeartbeatResponse;
import apache.rocketmq.v2.MessagingServiceGrpc;
import java.time.Duration;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * The heartbeats of one connection. Without one for 120 s the proxy forgets the client, and every
 * deferral fails from then on although the telemetry stream stays open.
 *
 * <p>Used on the client's I/O thread only.
 */
final class Heartbeat {

    static final Duration PERIOD = Duration.ofSeconds(10);
    static final Duration PERIOD_AFTER_FAILURE = Duration.ofSeconds(3);

    /** Between a heartbeat and one asked for out of turn. */
    private static final Duration MIN_GAP = Duration.ofSeconds(1);

    private static final int MAX_FAILURES_IN_A_ROW = 3;

    private final RpcChannel channel;
    private final HeartbeatRequest request;
    private final Duration timeout;
    private final Loop loop;
    private final Listener listener;
    private Loop.Timer timer;
    private boolean inFlight;
    private boolean stopped;
    private long lastBeatNanos;
    private int failuresInARow;

    Heartbeat(
            RpcChannel channel,
            HeartbeatRequest request,
            Duration timeout,
            Loop loop,
            Listener listener) {
        this.channel = channel;
        this.request = request;
        this.timeout = timeout;
        this.loop = loop;
        this.listener = listener;
    }

    /** The request of a client. */
    static HeartbeatRequest request(SessionRole role, ClientType type, String namespace) {
        HeartbeatRequest.Builder request = HeartbeatRequest.newBuilder().setClientType(type);
        if (!role.group().isEmpty()) {
            request.setGroup(Requests.resource(namespace, role.group()));
        }
        return request.build();
    }

    /** Sends one every {@link #PERIOD} from now on. */
    void start() {
        lastBeatNanos = loop.nanoTime();
        schedule(PERIOD);
    }

    /** Sends one now: something looks as if the server had forgotten the client. */
    void beatNow() {
        boolean tooSoon = loop.nanoTime() - lastBeatNanos < MIN_GAP.toNanos();
        if (!stopped && !inFlight && !tooSoon) {
            timer.cancel();
            beat();
        }
    }

    /** Sends no more and reports no more. Idempotent. */
    void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel();
        }
    }

    private void schedule(Duration delay) {
        timer = loop.schedule(this::beat, delay);
    }

    private void beat() {
        if (stopped) {
            return;
        }
        inFlight = true;
        lastBeatNanos = loop.nanoTime();
        channel.call(MessagingServiceGrpc.getHeartbeatMethod(), request, timeout)
                .whenComplete(this::answered);
    }

    private void answered(Answer<HeartbeatResponse> answer, Throwable error) {
        inFlight = false;
        if (stopped) {
            return;
        }
        if (error == null && answer.value().getStatus().getCode() == Code.OK) {
            failuresInARow = 0;
            listener.alive();
            schedule(PERIOD);
            return;
        }
        RpcException failure =
                error == null
                        ? answer.call().refused(answer.value().getStatus(), channel.established())
                        : (RpcException) error;
        failuresInARow++;
        boolean forgotten = failure.code().equals(Code.UNRECOGNIZED_CLIENT_TYPE.name());
        if (forgotten || failuresInARow >= MAX_FAILURES_IN_A_ROW) {
            stop();
            listener.lost(failure);
            return;
        }
        schedule(PERIOD_AFTER_FAILURE);
    }

    /** Hears how the heartbeats fare; called on the I/O thread. */
    interface Listener {
        /** The server answered. */
        void alive();

        /** The server has forgotten the client or answers no more; no heartbeat follows. */
        void lost(RpcException why);
    }
}
