/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.Locale;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * How long a session waits for what: bounds of the handshake with one address, and which refusals
 * of a start are worth asking again. Immutable.
 */
final class Patience {

    /** Most time that one step of a start gets at the only address. */
    static final Duration START = LiteClientConfig.DEFAULT_START_PATIENCE;

    /** Longest pause between two attempts: who waits for a proxy wants to know when it is back. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    /** Most time that one step of a later handshake gets at one of several addresses. */
    static final Duration LONGEST_STEP = Duration.ofSeconds(3);

    /** How long a start takes "not found" for the echo of a broker's restart. */
    static final Duration NOT_FOUND = Duration.ofSeconds(3);

    private final Duration requestTimeout;
    private final Duration start;
    private final int addresses;

    Patience(LiteClientConfig config) {
        this.requestTimeout = config.requestTimeout();
        this.start = config.startPatience();
        this.addresses = config.endpoints().addresses().size();
    }

    /** How long a start may take before it fails for good. */
    Duration start() {
        return start;
    }

    /** Whether a start may outlast an outage, so that its failures are to be told meanwhile. */
    boolean outlastsAnOutage() {
        return start.compareTo(START) > 0;
    }

    /**
     * Bound of one step of a handshake. During the start no address may use up the time of the
     * others, and later none may keep the next one waiting for a long request timeout; with a
     * single one, giving up on it early would only begin all over.
     */
    Duration step(boolean established) {
        Duration whole = outlastsAnOutage() ? START : start;
        if (addresses == 1) {
            return established ? requestTimeout : whole;
        }
        Duration share = established ? LONGEST_STEP : whole.dividedBy(addresses);
        return requestTimeout.compareTo(share) < 0 ? requestTimeout : share;
    }

    /**
     * Whether a start that was refused should ask again. While a broker restarts, server 5.5.0 says
     * of a topic and a group that are there that they were not found.
     *
     * @param sinceStart how long the client has been starting
     */
    boolean isWorthAnotherTry(RpcException refusal, Duration sinceStart) {
        String said = String.valueOf(refusal.getMessage()).toLowerCase(Locale.ROOT);
        boolean notFound =
                refusal.code().equals("TOPIC_NOT_FOUND") || said.contains("group not found");
        return notFound && sinceStart.compareTo(outlastsAnOutage() ? start : NOT_FOUND) < 0;
    }
}
