/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import java.time.Duration;

/** What becomes of one message at the throttle. Immutable. */
final class ThrottleDecision {

    /** The message goes on. */
    static final ThrottleDecision ADMIT = new ThrottleDecision(Kind.ADMIT, Duration.ZERO);

    /** The message goes on against the policy, through a safety valve. */
    static final ThrottleDecision FORCE = new ThrottleDecision(Kind.FORCE, Duration.ZERO);

    /** The message comes back by itself: neither policy, nor RPC, nor output. */
    static final ThrottleDecision LET_GO = new ThrottleDecision(Kind.LET_GO, Duration.ZERO);

    private final Kind kind;
    private final Duration duration;

    private ThrottleDecision(Kind kind, Duration duration) {
        this.kind = kind;
        this.duration = duration;
    }

    /** The delivery of the message is deferred, from this message on. */
    static ThrottleDecision defer(Duration duration) {
        return new ThrottleDecision(Kind.DEFER, duration);
    }

    Kind kind() {
        return kind;
    }

    /** For how long; zero unless deferred. */
    Duration duration() {
        return duration;
    }

    @Override
    public String toString() {
        return kind == Kind.DEFER ? "DEFER " + duration : kind.toString();
    }

    /** The ways out. */
    enum Kind {
        ADMIT,
        FORCE,
        DEFER,
        LET_GO
    }
}
