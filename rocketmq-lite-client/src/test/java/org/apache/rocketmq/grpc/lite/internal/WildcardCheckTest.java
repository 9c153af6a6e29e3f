/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import apache.rocketmq.v2.LiteSubscriptionAction;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the answer to the probe says about a group. */
class WildcardCheckTest {

    private final TestChannel channel = new TestChannel();
    private final List<LiteSubscriptionAction> sent = new ArrayList<>();
    private RpcException probeAnswer;

    @AfterEach
    void closeChannel() {
        channel.close();
    }

    @Test
    void aGroupThatIsRefusedASingleLiteTopicIsAWildcardGroup() {
        probeAnswer = refusal("INTERNAL_SERVER_ERROR", null);
        assertThat(run()).isCompleted();
        assertThat(sent).containsExactly(LiteSubscriptionAction.PARTIAL_ADD);
    }

    // beside case 33
    @Test
    void aGroupThatIsGivenASingleLiteTopicIsNotAndTheProbeIsUndone() {
        RpcException verdict = failureOf(run());
        assertThat(verdict.kind()).isEqualTo(ErrorKind.FATAL);
        assertThat(verdict.code()).isEqualTo(WildcardCheck.NOT_WILDCARD);
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.PARTIAL_ADD,
                        LiteSubscriptionAction.PARTIAL_REMOVE,
                        LiteSubscriptionAction.COMPLETE_REMOVE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TOO_MANY_REQUESTS",
                "PROXY_TIMEOUT",
                "REQUEST_TIMEOUT",
                "TOPIC_NOT_FOUND",
                "LITE_SUBSCRIPTION_QUOTA_EXCEEDED"
            })
    void aServerThatDoesNotTellIsAskedAgain(String code) {
        probeAnswer = refusal(code, null);
        assertThat(failureOf(run())).isSameAs(probeAnswer);
    }

    @Test
    void aCallWithoutAnAnswerIsNoVerdict() {
        probeAnswer = refusal("UNAVAILABLE", Status.UNAVAILABLE.asRuntimeException());
        assertThat(failureOf(run())).isSameAs(probeAnswer);
    }

    private CompletableFuture<Void> run() {
        LiteSubscriptionCalls calls =
                (used, action, liteTopic, timeout) -> {
                    sent.add(action);
                    boolean refused =
                            action == LiteSubscriptionAction.PARTIAL_ADD && probeAnswer != null;
                    return refused
                            ? CompletableFuture.failedFuture(probeAnswer)
                            : CompletableFuture.completedFuture(null);
                };
        return new WildcardCheck(calls, Duration.ofSeconds(3)).run(channel.get());
    }

    private static RpcException refusal(String code, Throwable cause) {
        return new RpcException(ErrorKind.TRANSIENT, code, "", "host:1", code, cause);
    }

    private static RpcException failureOf(CompletableFuture<?> future) {
        return (RpcException)
                catchThrowableOfType(CompletionException.class, future::join).getCause();
    }
}
