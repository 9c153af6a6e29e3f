/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

/**
 * Where a failure on a thread of the client waits for the task thread: the first one is the cause,
 * a few later ones are suppressed in it. Parked by any thread, raised by the task thread.
 */
final class FailureSlot {

    private static final int MAX_SUPPRESSED = 8;

    private AckFailedException first;
    private int suppressed;
    private boolean raised;

    /** Keeps it if it has to fail the job. */
    synchronized void park(Throwable failure) {
        Throwable cause = FailureSorter.unwrap(failure);
        if (!(cause instanceof AckFailedException) || !((AckFailedException) cause).isFatal()) {
            return;
        }
        if (first == null) {
            first = (AckFailedException) cause;
        } else if (first != cause && suppressed < MAX_SUPPRESSED) {
            suppressed++;
            first.addSuppressed(cause);
        }
    }

    /** Throws what is parked. */
    synchronized void raise() {
        if (first != null) {
            raised = true;
            throw first;
        }
    }

    /** Throws what is parked unless it was thrown before. */
    synchronized void raiseIfNew() {
        if (!raised) {
            raise();
        }
    }

    synchronized boolean isEmpty() {
        return first == null;
    }
}
