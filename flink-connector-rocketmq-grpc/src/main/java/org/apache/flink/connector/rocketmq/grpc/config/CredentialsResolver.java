/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.rocketmq.grpc.lite.Credentials;

/**
 * Finds the credentials of an endpoint on the TaskManager, so that no secret is in the job graph.
 *
 * <p>Named by {@code rocketmq.client.credentials-resolver-class} and made there with its public
 * constructor without arguments, through the job's class loader: one for each source subtask, and
 * one for the acknowledging operators that share connections. It need not be serializable.
 *
 * <p>{@link #open} and {@link #close} are called once each, on a thread of its own. {@link
 * #resolve} is called on threads of its own, one per endpoint, so for different endpoints at the
 * same time: before the first request, about every 5 s while requests are made, and at once when
 * the server refuses the credentials. So they may change at any time. It may block: requests do not
 * wait while older credentials are there, and if there are none a request fails after 2 s and is
 * repeated. When the source or the client closes, the calling thread is interrupted.
 */
@PublicEvolving
public interface CredentialsResolver {

    /**
     * Prepares. May take 30 s; then it is interrupted and the task fails.
     *
     * @param options what was set of the options that begin with {@code
     *     rocketmq.client.credentials.}
     * @throws Exception fails the task; what it says is shown, so it must hold no secret
     */
    default void open(ReadableConfig options) throws Exception {}

    /**
     * The credentials for these endpoints, as they are now.
     *
     * @param endpoints in normal form: {@code host:port}, several separated by {@code ;}
     * @return never null
     * @throws Exception fails the task if there are no credentials yet; otherwise the ones found
     *     before stay in use, with a warning. What it says is shown, so it must hold no secret
     */
    Credentials resolve(String endpoints) throws Exception;

    /**
     * Ends; called after the last {@link #resolve} was interrupted, if it had not ended, and after
     * an {@link #open} that failed. A source waits 1 s for it, an acknowledging client {@code
     * rocketmq.ack.close-timeout}; then it is interrupted.
     *
     * @throws Exception is logged
     */
    default void close() throws Exception {}
}
