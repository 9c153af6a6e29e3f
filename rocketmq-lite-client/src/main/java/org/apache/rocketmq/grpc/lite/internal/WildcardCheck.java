/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * Finds out whether a group really is a wildcard group. The server says nothing about it: a group
 * without the attribute can subscribe to "everything" as well and then receives nothing for ever.
 * But a wildcard group is refused a single lite topic, and every other group is not.
 *
 * <p>To be asked after a successful subscription, so that a refusal cannot mean something else.
 * Used on the I/O thread.
 */
final class WildcardCheck {

    /** Code of a group that lacks the attribute. */
    static final String NOT_WILDCARD = "NOT_A_WILDCARD_GROUP";

    /** A lite topic that nobody sends to. */
    static final String PROBE = "wildcard-check";

    private static final Set<String> PASSING =
            Set.of(
                    "TOO_MANY_REQUESTS",
                    "PROXY_TIMEOUT",
                    "REQUEST_TIMEOUT",
                    "TOPIC_NOT_FOUND",
                    "LITE_SUBSCRIPTION_QUOTA_EXCEEDED");

    private final LiteSubscriptionCalls calls;
    private final Duration timeout;

    WildcardCheck(LiteSubscriptionCalls calls, Duration timeout) {
        this.calls = calls;
        this.timeout = timeout;
    }

    /**
     * @return fails with {@link RpcException}: fatal if the group is not a wildcard group,
     *     transient if the server did not tell
     */
    CompletableFuture<Void> run(RpcChannel channel) {
        CompletableFuture<Void> verdict = new CompletableFuture<>();
        calls.addOne(channel, PROBE, timeout)
                .whenComplete(
                        (accepted, error) -> {
                            if (error == null) {
                                undo(channel, verdict);
                            } else {
                                judge(Failures.of(error, channel.endpoint()), verdict);
                            }
                        });
        return verdict;
    }

    private static void judge(RpcException refusal, CompletableFuture<Void> verdict) {
        boolean noVerdict = refusal.getCause() != null || PASSING.contains(refusal.code());
        if (noVerdict) {
            verdict.completeExceptionally(refusal);
        } else {
            verdict.complete(null);
        }
    }

    private void undo(RpcChannel channel, CompletableFuture<Void> verdict) {
        RpcException notWildcard =
                new RpcException(
                        ErrorKind.FATAL,
                        NOT_WILDCARD,
                        "",
                        channel.endpoint(),
                        "the group has no attribute lite.sub.wildcard, so it would receive nothing",
                        null);
        calls.removeOne(channel, PROBE, timeout)
                .handle((done, error) -> calls.withdraw(channel, timeout))
                .thenCompose(withdrawn -> withdrawn)
                .whenComplete((done, error) -> verdict.completeExceptionally(notWildcard));
    }
}
