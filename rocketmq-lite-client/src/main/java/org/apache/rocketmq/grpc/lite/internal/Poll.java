/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Message;
import apache.rocketmq.v2.MessagingServiceGrpc;
import apache.rocketmq.v2.ReceiveMessageRequest;
import apache.rocketmq.v2.ReceiveMessageResponse;
import apache.rocketmq.v2.Status;
import io.grpc.ClientCall;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * One long poll. Gathers what the stream brings and reports once, when it has ended: an answer is
 * good only when it is complete. Used on the I/O thread only.
 */
final class Poll implements StreamObserver<ReceiveMessageResponse> {

    private final RpcChannel channel;
    private final String broker;
    private final Loop loop;
    private final Listener listener;
    private final CallInfo info;
    private final List<Message> messages = new ArrayList<>();
    private ClientCall<ReceiveMessageRequest, ReceiveMessageResponse> call;
    private Status status;
    private long arrivedMillis;
    private boolean over;

    Poll(RpcChannel channel, String broker, Loop loop, Listener listener) {
        this.channel = channel;
        this.broker = broker;
        this.loop = loop;
        this.listener = listener;
        this.info = channel.newCall(MessagingServiceGrpc.getReceiveMessageMethod());
    }

    /** Sends the request. */
    void start(ReceiveMessageRequest request, Duration timeout) {
        call =
                channel.stream(
                        MessagingServiceGrpc.getReceiveMessageMethod(),
                        info,
                        request,
                        timeout,
                        this);
    }

    /** Ends it; it is reported as failed. */
    void cancel() {
        call.cancel("the poll is of no use any more", null);
    }

    /** The failure of an answer that is complete and makes no sense. */
    RpcException unreadable(Throwable cause) {
        return info.failure(ErrorKind.TRANSIENT, "BROKEN_ANSWER", cause.toString(), cause);
    }

    /** The channel it runs on. */
    RpcChannel channel() {
        return channel;
    }

    /** The broker that is asked. */
    String broker() {
        return broker;
    }

    /** What came; after a failure maybe not everything. */
    List<Message> messages() {
        return messages;
    }

    /** When the answer began to arrive, milliseconds since the epoch. */
    long arrivedMillis() {
        return arrivedMillis;
    }

    @Override
    public void onNext(ReceiveMessageResponse part) {
        if (arrivedMillis == 0) {
            arrivedMillis = loop.currentTimeMillis();
        }
        if (part.hasStatus()) {
            status = part.getStatus();
        } else if (part.hasMessage()) {
            messages.add(part.getMessage());
        }
    }

    @Override
    public void onError(Throwable error) {
        finish(info.failed(error, channel.established()));
    }

    @Override
    public void onCompleted() {
        if (status == null) {
            String text = "the answer has no status";
            finish(info.failure(ErrorKind.TRANSIENT, "BROKEN_ANSWER", text, null));
        } else if (status.getCode() == Code.OK || status.getCode() == Code.MESSAGE_NOT_FOUND) {
            finish(null);
        } else {
            finish(info.refused(status, channel.established()));
        }
    }

    private void finish(RpcException failure) {
        if (!over) {
            over = true;
            listener.ended(this, failure);
        }
    }

    /** Hears of the end of a poll, on the I/O thread. */
    interface Listener {
        /**
         * @param failure null if the answer is complete
         */
        void ended(Poll poll, RpcException failure);
    }
}
