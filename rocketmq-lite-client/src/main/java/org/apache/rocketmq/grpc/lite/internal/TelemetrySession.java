/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.Settings;
import apache.rocketmq.v2.TelemetryCommand;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * The telemetry stream of one connection: makes the client known to the proxy with its settings and
 * answers what the server asks. While it is open the proxy takes calls of this client; when it
 * breaks, the server unsubscribes the client silently.
 *
 * <p>Used on the client's I/O thread only.
 */
final class TelemetrySession {

    private final RpcChannel channel;
    private final Listener listener;
    private final CallInfo info;
    private final CompletableFuture<Settings> handshake = new CompletableFuture<>();
    private StreamObserver<TelemetryCommand> stream;
    private boolean over;

    /**
     * @param listener told about what happens after the handshake
     */
    TelemetrySession(RpcChannel channel, Listener listener) {
        this.channel = Objects.requireNonNull(channel, "channel");
        this.listener = Objects.requireNonNull(listener, "listener");
        this.info = channel.newCall(MessagingServiceGrpc.getTelemetryMethod());
    }

    /**
     * Opens the stream and sends the settings.
     *
     * @return the settings as the server merged them; fails with {@link RpcException}
     */
    CompletableFuture<Settings> open(Settings settings, Duration timeout, Loop loop) {
        stream = channel.duplex(MessagingServiceGrpc.getTelemetryMethod(), info, new Observer());
        stream.onNext(TelemetryCommand.newBuilder().setSettings(settings).build());
        Loop.Timer timer = loop.schedule(() -> expire(timeout), timeout);
        return handshake.whenComplete((merged, error) -> timer.cancel());
    }

    /** Ends the stream; nothing is reported any more. Idempotent. */
    void close() {
        if (!over && stream != null) {
            over = true;
            stream.onCompleted();
        }
        over = true;
    }

    private void expire(Duration timeout) {
        String text = "no settings from the server within " + timeout.toMillis() + " ms";
        broke(info.failure(ErrorKind.TRANSIENT, "DEADLINE_EXCEEDED", text, null));
    }

    private void broke(RpcException why) {
        if (over) {
            return;
        }
        over = true;
        if (!handshake.completeExceptionally(why)) {
            listener.broken(why);
        }
    }

    private void received(TelemetryCommand command) {
        if (over) {
            return;
        }
        boolean refused =
                command.hasStatus()
                        && command.getStatus().getCode() != Code.OK
                        && command.getStatus().getCode() != Code.CODE_UNSPECIFIED;
        if (refused && !handshake.isDone()) {
            broke(info.refused(command.getStatus(), channel.established()));
        } else if (!command.hasSettings()) {
            listener.commanded(command, stream::onNext);
        } else {
            handshake.complete(command.getSettings());
        }
    }

    /** Hears what happens to an open stream; called on the I/O thread. */
    interface Listener {
        /** The stream ended by itself; called at most once. */
        void broken(RpcException why);

        /**
         * The server asks for something.
         *
         * @param reply sends an answer
         */
        void commanded(TelemetryCommand command, Consumer<TelemetryCommand> reply);
    }

    /** What the stream brings. */
    private final class Observer implements StreamObserver<TelemetryCommand> {
        @Override
        public void onNext(TelemetryCommand command) {
            received(command);
        }

        @Override
        public void onError(Throwable error) {
            broke(info.failed(error, channel.established()));
        }

        @Override
        public void onCompleted() {
            String text = "the server ended the stream";
            broke(info.failure(ErrorKind.TRANSIENT, "UNAVAILABLE", text, null));
        }
    }
}
