/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.flink.annotation.Internal;
import org.apache.rocketmq.grpc.lite.LiteMessage;

/**
 * The lease of one message that waits in a reader: decides between renewing and freezing.
 *
 * <p>A renewal begins and a freeze happens under one lock, so no renewal begins after the freeze,
 * and what is frozen is the newest handle that the server gave before it. A renewal that is under
 * way at the freeze changes nothing any more: the frozen handle works until its own end, and the
 * task thread never waits for an answer.
 *
 * <p>Thread-safe: the reader's timer begins renewals, the client's I/O thread brings their answers,
 * the task thread freezes. The call that begins a renewal is made under the lock, because it only
 * hands the request to the I/O thread; nothing waits for its answer under it.
 */
@Internal
public final class WaitingLease {

    private static final CompletableFuture<Void> NOTHING = CompletableFuture.completedFuture(null);

    private final long arrivedMillis;

    private LiteMessage message;
    private LiteMessage newest;
    private CompletableFuture<Void> underWay;
    private int renewals;
    private boolean frozen;

    /**
     * @param message as it arrived
     * @param invisibleDuration what it has been given
     */
    public WaitingLease(LiteMessage message, Duration invisibleDuration) {
        this.message = message;
        this.newest = message;
        this.arrivedMillis = message.leaseEndMillis() - invisibleDuration.toMillis();
    }

    /** The message with its newest handle. */
    public synchronized LiteMessage message() {
        return message;
    }

    /** The message with its newest handle, which from now on is the last one. */
    public synchronized LiteMessage freeze() {
        frozen = true;
        return message;
    }

    /**
     * The message with the newest handle of all, also one that came after the freeze: for a message
     * that goes back to the server instead of to the job.
     */
    public synchronized LiteMessage newest() {
        return newest;
    }

    /** Milliseconds since the epoch when it arrived, on this machine's clock. */
    long arrivedMillis() {
        return arrivedMillis;
    }

    /** What a policy may see of it. */
    synchronized WaitingMessage describe(long nowMillis) {
        return new Description(this, nowMillis);
    }

    /**
     * Begins a renewal unless the message is frozen or a renewal is under way.
     *
     * @param call sends the request and returns at once
     * @return the answer to come; null if nothing was begun
     */
    synchronized CompletableFuture<String> begin(
            Function<LiteMessage, CompletableFuture<String>> call) {
        if (frozen || underWay != null) {
            return null;
        }
        CompletableFuture<String> answer = call.apply(message);
        underWay = new CompletableFuture<>();
        return answer;
    }

    /** The renewal under way succeeded. A frozen message keeps what it was frozen with. */
    void renewed(String newHandle, long newLeaseEndMillis) {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = underWay;
            underWay = null;
            renewals++;
            newest = newest.withReceipt(newHandle, newLeaseEndMillis);
            if (!frozen) {
                message = newest;
            }
        }
        ended.complete(null);
    }

    /** The renewal under way failed: the handle stays as it is. */
    void notRenewed() {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = underWay;
            underWay = null;
        }
        ended.complete(null);
    }

    /** Completes when no renewal is under way any more and its handle is known; never fails. */
    public synchronized CompletableFuture<Void> settled() {
        return underWay == null ? NOTHING : underWay;
    }

    /** A snapshot. */
    private static final class Description implements WaitingMessage {
        private final LiteMessage message;
        private final Duration waited;
        private final Duration total;
        private final int renewals;

        private Description(WaitingLease lease, long nowMillis) {
            this.message = lease.message;
            this.waited = Duration.ofMillis(nowMillis - lease.arrivedMillis);
            this.total = Duration.ofMillis(message.leaseEndMillis() - lease.arrivedMillis);
            this.renewals = lease.renewals;
        }

        @Override
        public String getLiteTopic() {
            return message.liteTopic();
        }

        @Override
        public String getMessageId() {
            return message.messageId();
        }

        @Override
        public int getDeliveryAttempt() {
            return message.deliveryAttempt();
        }

        @Override
        public long getBornTimestamp() {
            return message.bornTimestamp();
        }

        @Override
        public Duration getWaited() {
            return waited;
        }

        @Override
        public Duration getTotalSoFar() {
            return total;
        }

        @Override
        public int getRenewals() {
            return renewals;
        }
    }
}
