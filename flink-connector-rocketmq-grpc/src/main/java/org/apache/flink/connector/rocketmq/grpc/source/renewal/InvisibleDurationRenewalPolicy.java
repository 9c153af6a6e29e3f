/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Decides whether a message that waits in a reader stays invisible to others for longer, and for
 * how long; {@code rocketmq.source.renewal-policy-class} names it.
 *
 * <p>It is asked {@code rocketmq.source.renewal-ahead-time} before the invisible duration of a
 * message ends that the reader received and did not emit yet. Each renewal is one request for this
 * message alone. What it says never goes beyond {@code rocketmq.source.renewal-max-duration}.
 *
 * <p>An instance belongs to one reader and is made on the TaskManager, with a public constructor
 * without parameters. {@link #open} is called once, before everything else; then one thread at a
 * time calls, none of them the task's. An exception fails the job.
 */
@PublicEvolving
public interface InvisibleDurationRenewalPolicy {

    /**
     * Prepares the policy.
     *
     * @param context what is known of the reader
     * @throws Exception the job fails
     */
    default void open(RenewalContext context) throws Exception {}

    /**
     * Decides about one message. Must not block: the timer of the reader calls.
     *
     * @return how long the message stays invisible from now on, more than the ahead time and at
     *     most 12 h; null if it is not renewed, then it is not asked about again
     */
    Duration renewalOf(WaitingMessage message);

    /**
     * Gives back what the policy holds. Called once when the reader closes, after the last {@link
     * #renewalOf}, and after an {@link #open} that failed. What takes longer than a second is
     * interrupted and left.
     *
     * @throws Exception is logged; it fails nothing
     */
    default void close() throws Exception {}
}
