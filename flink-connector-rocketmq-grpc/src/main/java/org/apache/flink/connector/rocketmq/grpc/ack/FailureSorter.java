/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.util.concurrent.CompletionException;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says what a failed request means and warns about messages that come back, at most once in ten
 * seconds. Guarded by the session's lock.
 */
final class FailureSorter {

    private static final Logger LOG = LoggerFactory.getLogger(FailureSorter.class);
    private static final long WARN_EVERY_MILLIS = 10_000;

    private final AckTimer clock;
    private final String route;
    private long nextWarning = Long.MIN_VALUE;
    private long notWarned;
    private String lastForNow = "no answer";

    FailureSorter(AckTimer clock, String route) {
        this.clock = clock;
        this.route = route;
    }

    /** The failure itself, out of what the future machinery wrapped around it. */
    static Throwable unwrap(Throwable failure) {
        boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
        return wrapped ? failure.getCause() : failure;
    }

    /** What to do about it; anything but an answer of the client is a defect and fatal. */
    ErrorKind sort(String act, AckEntry entry, Throwable wrapped) {
        Throwable failure = unwrap(wrapped);
        if (!(failure instanceof RpcException)) {
            return ErrorKind.FATAL;
        }
        RpcException answer = (RpcException) failure;
        if (answer.kind() == ErrorKind.STALE_HANDLE) {
            warn(act, entry, "its invisible duration had ended (" + answer.code() + ")");
        } else if (answer.kind() == ErrorKind.TRANSIENT) {
            lastForNow = answer.getMessage();
            LOG.debug("{}: {} of {} failed for now", route, act, entry, answer);
        }
        return answer.kind();
    }

    /** It was repeated until its invisible duration ended; names the failure seen last. */
    void leaseEnded(String act, AckEntry entry) {
        warn(act, entry, "it failed until its invisible duration ended, at last: " + lastForNow);
    }

    private void warn(String act, AckEntry entry, String why) {
        long now = clock.nowMillis();
        if (now < nextWarning) {
            notWarned++;
            return;
        }
        LOG.warn(
                "{}: {} of {} came to nothing: {}; the message is delivered again ({} more since"
                        + " the last warning)",
                route,
                act,
                entry,
                why,
                notWarned);
        nextWarning = now + WARN_EVERY_MILLIS;
        notWarned = 0;
    }
}
