/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.AckMessageEntry;
import apache.rocketmq.v2.AckMessageRequest;
import apache.rocketmq.v2.AckMessageResponse;
import apache.rocketmq.v2.ChangeInvisibleDurationRequest;
import apache.rocketmq.v2.ChangeInvisibleDurationResponse;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.MessagingServiceGrpc;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * Acks and deferrals of one group. {@link #ack} and {@link #changeInvisibleDuration} may be called
 * from any thread; the futures complete on the I/O thread.
 */
final class Settlement {

    /** Most entries of one ack request. */
    static final int MAX_ENTRIES = 256;

    /** Longest invisible duration that the server takes. */
    static final Duration MAX_INVISIBLE = Duration.ofHours(12);

    private final ClientSession session;
    private final Loop loop;
    private final LiteClientConfig config;
    private final String group;

    Settlement(ClientSession session, Loop loop, LiteClientConfig config, String group) {
        this.session = session;
        this.loop = loop;
        this.config = config;
        this.group = group;
    }

    /** See {@link org.apache.rocketmq.grpc.lite.LiteAcknowledger#ack}. */
    CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        List<AckEntry> copy = List.copyOf(entries);
        if (copy.isEmpty() || copy.size() > MAX_ENTRIES) {
            return illegal("entries: " + copy.size() + " (expected: 1 to " + MAX_ENTRIES + ")");
        }
        String topic = copy.get(0).topic();
        for (AckEntry entry : copy) {
            if (!entry.topic().equals(topic)) {
                return illegal("entries: of topics " + topic + " and " + entry.topic());
            }
        }
        return session.onLoop(result -> whenReady(result, new AckCall(copy, result)));
    }

    /** See {@link org.apache.rocketmq.grpc.lite.LiteAcknowledger#changeInvisibleDuration}. */
    CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration duration, boolean suspend) {
        if (duration.isNegative() || duration.compareTo(MAX_INVISIBLE) > 0) {
            return illegal("invisibleDuration: " + duration + " (expected: 0 to 12 h)");
        }
        return session.onLoop(
                result ->
                        whenReady(
                                result,
                                (channel, timeout) ->
                                        change(channel, entry, duration, suspend, timeout)
                                                .whenComplete(
                                                        (handle, error) ->
                                                                finish(result, handle, error))));
    }

    /**
     * Changes the invisible duration over a given channel, also while the session closes.
     *
     * @return the new handle; fails with {@link RpcException}
     */
    CompletableFuture<String> change(
            RpcChannel channel,
            AckEntry entry,
            Duration duration,
            boolean suspend,
            Duration timeout) {
        ChangeInvisibleDurationRequest request =
                ChangeInvisibleDurationRequest.newBuilder()
                        .setGroup(Requests.resource(config.namespace(), group))
                        .setTopic(Requests.resource(config.namespace(), entry.topic()))
                        .setLiteTopic(entry.liteTopic())
                        .setMessageId(entry.messageId())
                        .setReceiptHandle(entry.receiptHandle())
                        .setInvisibleDuration(Requests.duration(duration))
                        .setSuspend(suspend)
                        .build();
        return channel.call(
                        MessagingServiceGrpc.getChangeInvisibleDurationMethod(), request, timeout)
                .thenCompose(answer -> newHandle(channel, entry, answer));
    }

    private CompletableFuture<String> newHandle(
            RpcChannel channel, AckEntry entry, Answer<ChangeInvisibleDurationResponse> answer) {
        ChangeInvisibleDurationResponse response = answer.value();
        if (response.getStatus().getCode() == Code.OK) {
            return CompletableFuture.completedFuture(
                    ReceiptHandles.newest(entry.receiptHandle(), response.getReceiptHandle()));
        }
        RpcException failure = answer.call().refused(response.getStatus(), channel.established());
        session.suspect(channel, failure);
        return CompletableFuture.failedFuture(failure);
    }

    /** Waiting for the session and the call itself share one request timeout. */
    private <T> void whenReady(CompletableFuture<T> result, TimedCall call) {
        long deadline = loop.nanoTime() + config.requestTimeout().toNanos();
        session.ready(config.requestTimeout())
                .thenAccept(
                        channel -> {
                            long left = Math.max(1, deadline - loop.nanoTime());
                            call.start(channel, Duration.ofNanos(left));
                        })
                .whenComplete(
                        (sent, error) -> {
                            if (error != null) {
                                finish(result, null, error);
                            }
                        });
    }

    private <T> void finish(CompletableFuture<T> result, T value, Throwable error) {
        if (error == null) {
            result.complete(value);
        } else {
            result.completeExceptionally(Failures.of(error, session.endpoint()));
        }
    }

    private static <T> CompletableFuture<T> illegal(String message) {
        return CompletableFuture.failedFuture(new IllegalArgumentException(message));
    }

    /** A call that has a channel now. */
    private interface TimedCall {
        void start(RpcChannel channel, Duration timeout);
    }

    /** One ack request. */
    private final class AckCall implements TimedCall {
        private final List<AckEntry> entries;
        private final CompletableFuture<List<AckResult>> result;

        AckCall(List<AckEntry> entries, CompletableFuture<List<AckResult>> result) {
            this.entries = entries;
            this.result = result;
        }

        @Override
        public void start(RpcChannel channel, Duration timeout) {
            AckMessageRequest.Builder request =
                    AckMessageRequest.newBuilder()
                            .setGroup(Requests.resource(config.namespace(), group))
                            .setTopic(
                                    Requests.resource(config.namespace(), entries.get(0).topic()));
            for (AckEntry entry : entries) {
                request.addEntries(
                        AckMessageEntry.newBuilder()
                                .setMessageId(entry.messageId())
                                .setReceiptHandle(entry.receiptHandle())
                                .setLiteTopic(entry.liteTopic()));
            }
            channel.call(MessagingServiceGrpc.getAckMessageMethod(), request.build(), timeout)
                    .thenCompose(answer -> results(channel, answer))
                    .whenComplete((results, error) -> finish(result, results, error));
        }

        private CompletableFuture<List<AckResult>> results(
                RpcChannel channel, Answer<AckMessageResponse> answer) {
            AckResponseReader reader = new AckResponseReader(answer, channel.established());
            return reader.hasEntries()
                    ? CompletableFuture.completedFuture(reader.results(entries))
                    : CompletableFuture.failedFuture(reader.failure());
        }
    }
}
