/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import java.util.function.LongSupplier;

/**
 * Bounds the bytes that wait in one reader, and the messages by how fast they leave, and counts
 * what waits.
 *
 * <p>Room is reserved before a poll, for as many messages as are expected to fit by the mean size
 * seen so far, and given back when they are emitted. The size of a message is known only when it is
 * here, so the bound may be passed by the answers of the polls already under way. As long as what
 * waits is below the bounds a poll for one message is always granted: polls that wait at an idle
 * broker must not keep others from polling a busy one.
 *
 * <p>Thread-safe: the client's I/O thread, the task thread and the timer call; one lock.
 */
final class QueueBudget {

    private static final long FIRST_GUESS_BYTES = 4096;
    private static final int FIRST_BATCH = 8;

    private final long maxBytes;
    private final LongSupplier maxMessages;

    private long meanBytes = FIRST_GUESS_BYTES;
    private boolean seenMessages;
    private long waitingBytes;
    private long waitingMessages;
    private long reservedBytes;
    private long reservedMessages;
    private boolean refused;

    /**
     * @param maxBytes most bytes that may wait, more than 0
     * @param maxMessages most messages that may wait now, at least 1; called under the lock of this
     */
    QueueBudget(long maxBytes, LongSupplier maxMessages) {
        this.maxBytes = maxBytes;
        this.maxMessages = maxMessages;
    }

    /**
     * Reserves room for a poll.
     *
     * @param wanted most messages the poller has a use for, at least 1
     * @return how many may be asked for, at least 1; null when there is no room, then a later
     *     {@link #giveBack} says that it is worth asking again
     */
    synchronized Grant reserve(int wanted) {
        if (!hasRoom()) {
            refused = true;
            return null;
        }
        int most = seenMessages ? wanted : Math.min(wanted, FIRST_BATCH);
        long fitting = (maxBytes - waitingBytes - reservedBytes) / meanBytes;
        long left = maxMessages.getAsLong() - waitingMessages - reservedMessages;
        int messages = (int) Math.max(1, Math.min(most, Math.min(fitting, left)));
        Grant grant = new Grant(messages, messages * meanBytes);
        reservedBytes += grant.bytes;
        reservedMessages += messages;
        return grant;
    }

    private boolean hasRoom() {
        return waitingBytes < maxBytes && waitingMessages < maxMessages.getAsLong();
    }

    /** The poll ended: the reservation becomes what really came. */
    synchronized void settle(Grant grant, int messages, long bytes) {
        reservedBytes -= grant.bytes;
        reservedMessages -= grant.messages;
        waitingMessages += messages;
        waitingBytes += bytes;
        if (messages > 0) {
            learn(Math.max(1, bytes / messages));
        }
    }

    /** Rises at once and sinks slowly: an estimate that is too small costs memory. */
    private void learn(long batchMean) {
        long blended = (3 * meanBytes + batchMean) / 4;
        meanBytes = seenMessages ? Math.max(batchMean, blended) : batchMean;
        seenMessages = true;
    }

    /**
     * A message left the reader.
     *
     * @return true if a poll was refused before and there is room now
     */
    synchronized boolean giveBack(long bytes) {
        waitingMessages--;
        waitingBytes -= bytes;
        if (refused && hasRoom()) {
            refused = false;
            return true;
        }
        return false;
    }

    /** Messages received and not yet emitted. */
    synchronized long waitingMessages() {
        return waitingMessages;
    }

    /** Bytes of their bodies. */
    synchronized long waitingBytes() {
        return waitingBytes;
    }

    /** Room reserved for one poll. Immutable. */
    static final class Grant {
        private final int messages;
        private final long bytes;

        private Grant(int messages, long bytes) {
            this.messages = messages;
            this.bytes = bytes;
        }

        /** Most messages to ask for. */
        int messages() {
            return messages;
        }
    }
}
