/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Objects;
import java.util.Optional;

/** What the server answered for one entry of an ack request. Immutable. */
public final class AckResult {

    private final AckEntry entry;
    private final RpcException failure;

    private AckResult(AckEntry entry, RpcException failure) {
        this.entry = Objects.requireNonNull(entry, "entry");
        this.failure = failure;
    }

    /** The server took the ack (which on a superseded but unexpired handle has no effect). */
    public static AckResult ok(AckEntry entry) {
        return new AckResult(entry, null);
    }

    /** The server refused this entry. */
    public static AckResult failed(AckEntry entry, RpcException failure) {
        return new AckResult(entry, Objects.requireNonNull(failure, "failure"));
    }

    /** The entry this result belongs to. */
    public AckEntry entry() {
        return entry;
    }

    /** True if the server took the ack. */
    public boolean isOk() {
        return failure == null;
    }

    /** Why the entry was refused; empty if it was not. */
    public Optional<RpcException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public String toString() {
        return "AckResult{" + entry + ", " + (isOk() ? "OK" : failure.code()) + '}';
    }
}
