/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.nio.ByteBuffer;

/** One message of the load; a Flink POJO. */
public final class DemoMessage {

    private static final int BYTES = Integer.BYTES + Long.BYTES + 2;

    private int sequence;
    private long dueNanos;
    private boolean hot;
    private boolean greeting;

    /** For Flink's POJO serializer. */
    public DemoMessage() {}

    /**
     * @param sequence number within the phase, from 0
     * @param dueNanos {@link System#nanoTime()} at which the load owed it; latencies count from
     *     there, so that a generator that falls behind does not flatter them
     * @param hot whether the hot tenant sends it
     * @param greeting whether it only makes its lite topic known: no work
     */
    public DemoMessage(int sequence, long dueNanos, boolean hot, boolean greeting) {
        this.sequence = sequence;
        this.dueNanos = dueNanos;
        this.hot = hot;
        this.greeting = greeting;
    }

    /** Number within the phase, from 0. */
    public int getSequence() {
        return sequence;
    }

    /** See {@link #getSequence()}. */
    public void setSequence(int sequence) {
        this.sequence = sequence;
    }

    /** When the load owed it, {@link System#nanoTime()}. */
    public long getDueNanos() {
        return dueNanos;
    }

    /** See {@link #getDueNanos()}. */
    public void setDueNanos(long dueNanos) {
        this.dueNanos = dueNanos;
    }

    /** Whether the hot tenant sent it. */
    public boolean isHot() {
        return hot;
    }

    /** See {@link #isHot()}. */
    public void setHot(boolean hot) {
        this.hot = hot;
    }

    /** Whether it only makes its lite topic known: it costs no work and counts in no latency. */
    public boolean isGreeting() {
        return greeting;
    }

    /** See {@link #isGreeting()}. */
    public void setGreeting(boolean greeting) {
        this.greeting = greeting;
    }

    /** The message body. */
    byte[] toBytes() {
        return ByteBuffer.allocate(BYTES)
                .putInt(sequence)
                .putLong(dueNanos)
                .put((byte) (hot ? 1 : 0))
                .put((byte) (greeting ? 1 : 0))
                .array();
    }

    /**
     * Reads a message body.
     *
     * @throws IllegalArgumentException if it has another length
     */
    static DemoMessage fromBytes(byte[] body) {
        if (body.length != BYTES) {
            throw new IllegalArgumentException(
                    "body: " + body.length + " bytes (expected: " + BYTES + ")");
        }
        ByteBuffer buffer = ByteBuffer.wrap(body);
        return new DemoMessage(
                buffer.getInt(), buffer.getLong(), buffer.get() == 1, buffer.get() == 1);
    }
}
