/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoop;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.rocketmq.grpc.lite.Endpoints;

/**
 * One HTTP/2 connection to one proxy address. Telemetry, receive and change must share it: a proxy
 * knows a client only by the connection its telemetry came over.
 *
 * <p>Used on the client's I/O thread only; every callback and future comes back on it.
 */
final class RpcChannel {

    /** Largest answer element taken: a message body of 4 MiB with room for larger server limits. */
    private static final int MAX_INBOUND_BYTES = 32 * 1024 * 1024;

    // Server 5.5.0 allows two pings per answer it sends, then closes the connection. A ping only
    // leaves after this long without anything read, and a heartbeat is answered every 10 s, so on a
    // healthy connection none does.
    private static final long KEEP_ALIVE_SECONDS = 15;
    private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

    private final String endpoint;
    private final RequestHeaders headers;
    private final ClientAccess access;
    private final BooleanSupplier established;
    private final ManagedChannel channel;

    private RpcChannel(
            String endpoint,
            RequestHeaders headers,
            ClientAccess access,
            BooleanSupplier established,
            ManagedChannel channel) {
        this.endpoint = endpoint;
        this.headers = headers;
        this.access = access;
        this.established = established;
        this.channel = channel;
    }

    /**
     * A channel that connects with its first call.
     *
     * @param access how requests are signed
     * @param established whether the client has succeeded before, for the meaning of errors
     */
    static RpcChannel open(
            Endpoints.Address address,
            IoLoop loop,
            RequestHeaders headers,
            ClientAccess access,
            BooleanSupplier established) {
        EventLoop eventLoop = loop.eventLoop();
        ManagedChannel channel =
                NettyChannelBuilder.forAddress(address.host(), address.port())
                        .usePlaintext()
                        .eventLoopGroup(eventLoop)
                        .channelType(NioSocketChannel.class)
                        .executor(eventLoop)
                        .offloadExecutor(loop.lookups())
                        .disableRetry()
                        .disableServiceConfigLookUp()
                        .maxInboundMessageSize(MAX_INBOUND_BYTES)
                        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .build();
        return new RpcChannel(address.toString(), headers, access, established, channel);
    }

    /** The same connection, spoken over in the name of another client id. */
    RpcChannel as(RequestHeaders otherHeaders) {
        return new RpcChannel(endpoint, otherHeaders, access, established, channel);
    }

    /** {@code host:port}. */
    String endpoint() {
        return endpoint;
    }

    /** Whether the client has succeeded before. */
    boolean established() {
        return established.getAsBoolean();
    }

    /**
     * One request, one answer.
     *
     * @return fails with {@link org.apache.rocketmq.grpc.lite.RpcException} if no answer came; an
     *     answer with a code other than OK is an answer
     */
    <Q, A> CompletableFuture<Answer<A>> call(
            MethodDescriptor<Q, A> method, Q request, Duration timeout) {
        CallInfo info = newCall(method);
        CompletableFuture<Answer<A>> future = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(
                open(method, info, withDeadline(timeout)),
                request,
                new StreamObserver<A>() {
                    @Override
                    public void onNext(A value) {
                        future.complete(new Answer<>(info, value));
                    }

                    @Override
                    public void onError(Throwable error) {
                        future.completeExceptionally(info.failed(error, established()));
                    }

                    @Override
                    public void onCompleted() {
                        // grpc reports a missing answer as an error: nothing is left to do
                    }
                });
        return future;
    }

    /** Identity for a call that is about to be made. */
    CallInfo newCall(MethodDescriptor<?, ?> method) {
        return new CallInfo(
                method.getBareMethodName(), UUID.randomUUID().toString(), endpoint, access);
    }

    /**
     * One request, a stream of answers.
     *
     * @return the call, to cancel it
     */
    <Q, A> ClientCall<Q, A> stream(
            MethodDescriptor<Q, A> method,
            CallInfo info,
            Q request,
            Duration timeout,
            StreamObserver<A> observer) {
        ClientCall<Q, A> call = open(method, info, withDeadline(timeout));
        ClientCalls.asyncServerStreamingCall(call, request, observer);
        return call;
    }

    /** A stream both ways, without a deadline. */
    <Q, A> StreamObserver<Q> duplex(
            MethodDescriptor<Q, A> method, CallInfo info, StreamObserver<A> observer) {
        return ClientCalls.asyncBidiStreamingCall(
                open(method, info, CallOptions.DEFAULT), observer);
    }

    /** Lets the calls under way end, takes no new ones. */
    void retire() {
        channel.shutdown();
    }

    /** Ends everything. */
    void close() {
        channel.shutdownNow();
    }

    /** True once nothing of it runs any more. */
    boolean isTerminated() {
        return channel.isTerminated();
    }

    private <Q, A> ClientCall<Q, A> open(
            MethodDescriptor<Q, A> method, CallInfo info, CallOptions options) {
        String date = RequestHeaders.now();
        Channel withHeaders =
                ClientInterceptors.intercept(
                        channel,
                        MetadataUtils.newAttachHeadersInterceptor(
                                headers.create(info.requestId(), date)));
        return withHeaders.newCall(method, access.sign(options, info, date));
    }

    private static CallOptions withDeadline(Duration timeout) {
        long millis = Math.max(1, timeout.toMillis());
        return CallOptions.DEFAULT.withDeadlineAfter(millis, TimeUnit.MILLISECONDS);
    }
}
