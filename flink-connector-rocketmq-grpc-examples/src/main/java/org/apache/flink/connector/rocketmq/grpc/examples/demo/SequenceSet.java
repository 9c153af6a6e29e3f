/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.util.BitSet;

/** A set of message sequences, one bit each. Thread-safe: every method holds this object's lock. */
final class SequenceSet {

    private final BitSet bits = new BitSet();

    /** Adds a sequence; false if it was in already. */
    synchronized boolean add(int sequence) {
        if (bits.get(sequence)) {
            return false;
        }
        bits.set(sequence);
        return true;
    }

    /** How many there are. */
    synchronized int size() {
        return bits.cardinality();
    }

    /** How many of these the other set lacks. */
    int missingIn(SequenceSet other) {
        BitSet missing = copy();
        missing.andNot(other.copy());
        return missing.cardinality();
    }

    private synchronized BitSet copy() {
        return (BitSet) bits.clone();
    }
}
