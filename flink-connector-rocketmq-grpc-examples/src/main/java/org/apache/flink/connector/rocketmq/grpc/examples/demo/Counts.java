/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

/** How far a phase has come: running totals at one moment. Immutable. */
final class Counts {

    /** Before anything happened. */
    static final Counts NONE = new Builder().build();

    private final long sent;
    private final long received;
    private final long worked;
    private final long duplicates;
    private final long notWorked;
    private final long repeatedSends;
    private final long acked;
    private final long unsettled;
    private final long deferredDeliveries;
    private final long deferRpcs;

    private Counts(Builder b) {
        this.sent = b.sent;
        this.received = b.received;
        this.worked = b.worked;
        this.duplicates = b.duplicates;
        this.notWorked = b.notWorked;
        this.repeatedSends = b.repeatedSends;
        this.acked = b.acked;
        this.unsettled = b.unsettled;
        this.deferredDeliveries = b.deferredDeliveries;
        this.deferRpcs = b.deferRpcs;
    }

    /** Messages that the broker said it stored. */
    long sent() {
        return sent;
    }

    /** Messages that the source emitted, redeliveries included. */
    long received() {
        return received;
    }

    /** Distinct messages that were worked on. */
    long worked() {
        return worked;
    }

    /** How often work was done again. */
    long duplicates() {
        return duplicates;
    }

    /** Messages sent that were not worked on. */
    long notWorked() {
        return notWorked;
    }

    /** Messages settled at the broker. */
    long acked() {
        return acked;
    }

    /** Acks that came too late or after a deferral: their messages are worked on again. */
    long unsettled() {
        return unsettled;
    }

    /** Sends without an answer that were repeated: the broker may have such a message twice. */
    long repeatedSends() {
        return repeatedSends;
    }

    /** Deliveries that the gate deferred. */
    long deferredDeliveries() {
        return deferredDeliveries;
    }

    /** Requests to defer that the broker answered. */
    long deferRpcs() {
        return deferRpcs;
    }

    /** Builds {@link Counts}; what is not set is 0. */
    static final class Builder {
        private long sent;
        private long received;
        private long worked;
        private long duplicates;
        private long notWorked;
        private long repeatedSends;
        private long acked;
        private long unsettled;
        private long deferredDeliveries;
        private long deferRpcs;

        /** What the load sent, and how much of it was not worked on. */
        Builder load(long sent, long notWorked) {
            this.sent = sent;
            this.notWorked = notWorked;
            return this;
        }

        /** What came out of the source and of the work. */
        Builder work(long received, long worked, long duplicates) {
            this.received = received;
            this.worked = worked;
            this.duplicates = duplicates;
            return this;
        }

        /** Sends that were repeated. */
        Builder repeatedSends(long repeatedSends) {
            this.repeatedSends = repeatedSends;
            return this;
        }

        /** Acks that settled a message, and acks that did not. */
        Builder acks(long acked, long unsettled) {
            this.acked = acked;
            this.unsettled = unsettled;
            return this;
        }

        /** What was deferred. */
        Builder deferred(long deliveries, long rpcs) {
            this.deferredDeliveries = deliveries;
            this.deferRpcs = rpcs;
            return this;
        }

        /** Builds it. */
        Counts build() {
            return new Counts(this);
        }
    }
}
