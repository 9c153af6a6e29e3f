/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/** The acknowledger over gRPC: hops onto the I/O thread, where its parts do the work. */
public final class GrpcLiteAcknowledger implements LiteAcknowledger {

    private static final long OPEN = Long.MIN_VALUE;

    private final IoLoop loop;
    private final ClientSession session;
    private final Settlement settlement;
    private final AtomicLong closeDeadline = new AtomicLong(OPEN);

    /** Starts nothing. */
    public GrpcLiteAcknowledger(LiteClientConfig config, String group, String topic) {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(topic, "topic");
        this.loop = new IoLoop("acknowledger");
        this.session = new ClientSession(config, new AcknowledgerRole(config, group, topic), loop);
        this.settlement = new Settlement(session, loop, config, group);
    }

    /** How long a message stays invisible in all, as its receipt handle tells; 0 if it does not. */
    public static long invisibleMillis(String receiptHandle) {
        return ReceiptHandles.invisibleMillis(receiptHandle);
    }

    @Override
    public CompletableFuture<Void> start() {
        return session.start();
    }

    @Override
    public CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
        return settlement.ack(entries);
    }

    @Override
    public CompletableFuture<String> changeInvisibleDuration(
            AckEntry entry, Duration invisibleDuration, boolean suspend) {
        return settlement.changeInvisibleDuration(entry, invisibleDuration, suspend);
    }

    @Override
    public CompletableFuture<Void> beginClose() {
        closeDeadline.compareAndSet(OPEN, System.nanoTime() + SessionEnd.LIMIT.toNanos());
        return session.close().copy();
    }

    @Override
    public void close() {
        SessionEnd.await(beginClose(), loop, closeDeadline.get());
    }
}
