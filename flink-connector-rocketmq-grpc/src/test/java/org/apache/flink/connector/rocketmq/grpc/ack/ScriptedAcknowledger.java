/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.RpcException;

/** A client that answers at once, or when told to, with what the script says. */
final class ScriptedAcknowledger implements LiteAcknowledger {

    final List<AckRequest> acks = new ArrayList<>();
    final List<ChangeRequest> changes = new ArrayList<>();
    final CompletableFuture<Void> started = new CompletableFuture<>();
    final Deque<RpcException> ackScript = new ArrayDeque<>();
    final Deque<RpcException> changeScript = new ArrayDeque<>();
    private boolean answersByHand;
    private Executor acksAnswer = Runnable::run;
    private Executor changesAnswer;
    private int renewals;
    private int closes;

    /** From now on every request waits to be answered by the test. */
    ScriptedAcknowledger answerByHand() {
        answersByHand = true;
        return this;
    }

    /** From now on every ack that is not answered by the test is answered there. */
    void answerAcksOn(Executor executor) {
        acksAnswer = executor;
    }

    /** From now on every change is answered after this time, on a thread of the common pool. */
    void answerChangesAfter(Duration delay) {
        changesAnswer = CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** From now on every request is answered at once. */
    void answerAtOnce() {
        answersByHand = false;
    }

    static RpcException error(ErrorKind kind, String code) {
        return new RpcException(kind, code, "r-1", "127.0.0.1:8081", code + " said the test", null);
    }

    @Override
    public synchronized CompletableFuture<Void> start() {
        return started;
    }

    @Override
    public CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        AckRequest request = new AckRequest(entries);
        RpcException failure;
        synchronized (this) {
            acks.add(request);
            failure = ackScript.poll();
        }
        if (!answersByHand) {
            acksAnswer.execute(
                    () ->
                            request.answer(
                                    entry ->
                                            failure == null
                                                    ? AckResult.ok(entry)
                                                    : AckResult.failed(entry, failure)));
        }
        return request.future;
    }

    @Override
    public CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend) {
        ChangeRequest request = new ChangeRequest(entry, invisibleDuration, suspend);
        RpcException failure;
        synchronized (this) {
            changes.add(request);
            failure = changeScript.poll();
            renewals++;
        }
        if (failure != null) {
            request.future.completeExceptionally(failure);
        } else if (changesAnswer != null) {
            String handle = "renewed-" + renewals;
            changesAnswer.execute(() -> request.future.complete(handle));
        } else if (!answersByHand) {
            request.future.complete("renewed-" + renewals);
        }
        return request.future;
    }

    @Override
    public synchronized CompletableFuture<Void> beginClose() {
        closes = 1;
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        beginClose();
    }

    synchronized int closes() {
        return closes;
    }

    synchronized int ackRequests() {
        return acks.size();
    }

    /** Message ids in the order in which their acks left. */
    synchronized List<String> ackedIds() {
        return acks.stream()
                .flatMap(request -> request.entries.stream())
                .map(AckEntry::messageId)
                .collect(Collectors.toList());
    }

    /** Answers the latest ack request with OK for every entry. */
    void answerLastAck() {
        acks.get(acks.size() - 1).answer(AckResult::ok);
    }

    /** One ack request as it arrived. */
    static final class AckRequest {
        final List<AckEntry> entries;
        final CompletableFuture<List<AckResult>> future = new CompletableFuture<>();

        AckRequest(List<AckEntry> entries) {
            this.entries = entries;
        }

        void answer(Function<AckEntry, AckResult> script) {
            future.complete(entries.stream().map(script).collect(Collectors.toList()));
        }
    }

    /** One change of an invisible duration as it arrived. */
    static final class ChangeRequest {
        final AckEntry entry;
        final Duration duration;
        final boolean suspend;
        final CompletableFuture<String> future = new CompletableFuture<>();

        ChangeRequest(AckEntry entry, Duration duration, boolean suspend) {
            this.entry = entry;
            this.duration = duration;
            this.suspend = suspend;
        }
    }
}
