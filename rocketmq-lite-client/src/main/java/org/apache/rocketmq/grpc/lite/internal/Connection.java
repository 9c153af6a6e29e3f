/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import apache.rocketmq.v2.TelemetryCommand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * One life of a session: a channel to one address with its telemetry stream and its heartbeats.
 * When any of them fails, the whole is given up and another is made.
 *
 * <p>Used on the client's I/O thread only.
 */
final class Connection {

    private final RpcChannel channel;
    private final TelemetrySession telemetry;
    private final Events events;
    private Heartbeat heartbeat;
    private boolean over;

    Connection(RpcChannel channel, Events events) {
        this.channel = channel;
        this.events = events;
        this.telemetry = new TelemetrySession(channel, new TelemetryEvents());
    }

    /** The channel. */
    RpcChannel channel() {
        return channel;
    }

    /** Introduces the client. Fails with {@link RpcException}. */
    CompletableFuture<Void> introduce(
            SessionRole role,
            ClientType type,
            Endpoints.Address address,
            Duration timeout,
            Loop loop) {
        return telemetry
                .open(role.settings(type, address), timeout, loop)
                .thenAccept(settings -> {});
    }

    /** Begins the heartbeats. */
    void keepAlive(
            SessionRole role, ClientType type, String namespace, Duration timeout, Loop loop) {
        heartbeat =
                new Heartbeat(
                        channel,
                        Heartbeat.request(role, type, namespace),
                        timeout,
                        loop,
                        new HeartbeatEvents());
        heartbeat.start();
    }

    /** Checks at once whether the server still knows the client. */
    void check() {
        if (heartbeat != null) {
            heartbeat.beatNow();
        }
    }

    /** Ends telemetry and heartbeats; calls under way go on. Nothing is reported any more. */
    void retire() {
        end();
        channel.retire();
    }

    /** Ends everything. Nothing is reported any more. Idempotent. */
    void close() {
        end();
        channel.close();
    }

    private void end() {
        over = true;
        telemetry.close();
        if (heartbeat != null) {
            heartbeat.stop();
        }
    }

    private void lost(RpcException why) {
        if (!over) {
            over = true;
            events.lost(this, why);
        }
    }

    /** Hears what becomes of a connection; called on the I/O thread. */
    interface Events {
        /** The connection proved to be good. */
        void alive();

        /** The connection is of no use any more; called at most once. */
        void lost(Connection connection, RpcException why);

        /** The server asks for another connection. */
        void reconnectAsked(Connection connection);
    }

    /** What the telemetry stream reports. */
    private final class TelemetryEvents implements TelemetrySession.Listener {
        @Override
        public void broken(RpcException why) {
            lost(why);
        }

        @Override
        public void commanded(TelemetryCommand command, Consumer<TelemetryCommand> reply) {
            ServerCommands.answer(command, reply, () -> events.reconnectAsked(Connection.this));
        }
    }

    /** What the heartbeats report. */
    private final class HeartbeatEvents implements Heartbeat.Listener {
        @Override
        public void alive() {
            events.alive();
        }

        @Override
        public void lost(RpcException why) {
            Connection.this.lost(why);
        }
    }
}
