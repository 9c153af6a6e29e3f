/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

/**
 * What came back from one call, and which call that was. Immutable.
 *
 * @param <A> type of the answer
 */
final class Answer<A> {

    private final CallInfo call;
    private final A value;

    Answer(CallInfo call, A value) {
        this.call = call;
        this.value = value;
    }

    /** The call that was answered. */
    CallInfo call() {
        return call;
    }

    /** The answer itself. */
    A value() {
        return value;
    }
}
