/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.LiteSubscriptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Backoff;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the subscription is sent, and what a failure of that leads to. */
class SubscriptionKeeperTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final ManualLoop loop = new ManualLoop();
    private final TestChannel channel = new TestChannel();
    private final TestChannel otherChannel = new TestChannel();
    private final List<LiteSubscriptionAction> sent = new ArrayList<>();
    private final List<Duration> bounds = new ArrayList<>();
    private final List<RpcChannel> over = new ArrayList<>();
    private final List<CompletableFuture<Void>> answers = new ArrayList<>();
    private final SubscriptionKeeper keeper =
            new SubscriptionKeeper(
                    loop,
                    this::send,
                    TIMEOUT,
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(60), () -> 0.5),
                    "topic and group");

    @AfterEach
    void closeChannels() {
        channel.close();
        otherChannel.close();
    }

    @Test
    void syncsEveryThirtySecondsAfterTheFirstSubscription() {
        keeper.useSubscribed(channel.get());
        assertThat(sent).isEmpty();
        loop.advance(Duration.ofSeconds(30));
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_ADD);
        answerAll();
        loop.advance(Duration.ofSeconds(30));
        assertThat(sent).hasSize(2);
    }

    @Test
    void syncsAtOnceOverANewChannel() {
        keeper.useSubscribed(channel.get());
        keeper.use(otherChannel.get(), TIMEOUT);
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_ADD);
        assertThat(over).containsExactly(otherChannel.get());
    }

    @Test
    void aNewChannelIsSyncedAtOnceWithItsOwnBoundWhileACallOverTheLostOneHangs() {
        CompletableFuture<Void> hanging = keeper.use(channel.get(), TIMEOUT);
        CompletableFuture<Void> waiting = keeper.sync();
        CompletableFuture<Void> fresh = keeper.use(otherChannel.get(), Duration.ofSeconds(1));

        assertThat(over).containsExactly(channel.get(), otherChannel.get());
        assertThat(bounds).containsExactly(TIMEOUT, Duration.ofSeconds(1));
        answers.get(1).complete(null);
        assertThat(fresh).isCompleted();
        assertThat(waiting).isCompleted();
        assertThat(hanging).isCompleted();

        // the late end of the call that was left behind changes nothing
        answers.get(0).completeExceptionally(failure());
        assertThat(sent).hasSize(2);
        loop.advance(Duration.ofMillis(29_999));
        assertThat(sent).hasSize(2);
        loop.advance(Duration.ofMillis(1));
        assertThat(over).endsWith(otherChannel.get());
        assertThat(sent).hasSize(3);
    }

    @Test
    void whoWaitsForACallThatWasLeftBehindHearsHowTheNewOneFailed() {
        CompletableFuture<Void> hanging = keeper.use(channel.get(), TIMEOUT);
        keeper.use(otherChannel.get(), TIMEOUT);
        answers.get(1).completeExceptionally(failure());
        assertThat(hanging).isCompletedExceptionally();
        loop.advance(Duration.ofMillis(100));
        assertThat(over).containsExactly(channel.get(), otherChannel.get(), otherChannel.get());
    }

    @Test
    void aRefreshThatANewChannelLeavesBehindDoesNotJoinOverTheOldOne() {
        keeper.useSubscribed(channel.get());
        keeper.refresh();
        keeper.use(otherChannel.get(), TIMEOUT);
        answers.get(0).complete(null);
        assertThat(over).containsExactly(channel.get(), otherChannel.get());
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_ADD);
    }

    @Test
    void manyRequestsDuringASyncMakeOneMore() {
        keeper.use(channel.get(), TIMEOUT);
        keeper.sync();
        keeper.sync();
        keeper.sync();
        assertThat(sent).hasSize(1);
        answers.get(0).complete(null);
        assertThat(sent).hasSize(2);
        answers.get(1).complete(null);
        assertThat(sent).hasSize(2);
    }

    @Test
    void everySyncTellsHowItWent() {
        keeper.use(channel.get(), TIMEOUT);
        CompletableFuture<Void> asked = keeper.sync();
        assertThat(keeper.sync()).isSameAs(asked);
        answers.get(0).complete(null);
        assertThat(asked).isNotDone();
        CompletableFuture<Void> next = keeper.sync();
        answers.get(1).completeExceptionally(failure());
        assertThat(asked).isCompletedExceptionally();
        answers.get(2).complete(null);
        assertThat(next).isCompleted();
    }

    @Test
    void aSyncThatTheEndOvertakesFails() {
        keeper.use(channel.get(), TIMEOUT);
        CompletableFuture<Void> asked = keeper.sync();
        keeper.stop();
        assertThat(asked).isCompletedExceptionally();
        assertThat(keeper.sync()).isCompletedExceptionally();
    }

    // beside case 33
    @Test
    void aFailedSyncIsRepeatedWithGrowingDelaysUntilItSucceeds() {
        keeper.use(channel.get(), TIMEOUT);
        answers.get(0).completeExceptionally(failure());
        loop.advance(Duration.ofMillis(99));
        assertThat(sent).hasSize(1);
        loop.advance(Duration.ofMillis(1));
        assertThat(sent).hasSize(2);
        answers.get(1).completeExceptionally(failure());
        loop.advance(Duration.ofMillis(200));
        assertThat(sent).hasSize(3);
        answers.get(2).complete(null);
        loop.advance(Duration.ofMillis(29_999));
        assertThat(sent).hasSize(3);
        loop.advance(Duration.ofMillis(1));
        assertThat(sent).hasSize(4);
        answers.get(3).completeExceptionally(failure());
        loop.advance(Duration.ofMillis(100));
        assertThat(sent).hasSize(5);
    }

    @Test
    void noDelayIsLongerThanThePeriod() {
        keeper.use(channel.get(), TIMEOUT);
        for (int i = 0; i < 15; i++) {
            answers.get(i).completeExceptionally(failure());
            loop.advance(SubscriptionKeeper.PERIOD);
            assertThat(sent).hasSizeGreaterThan(i + 1);
        }
    }

    @Test
    void aRefreshLeavesAndThenJoinsEvenIfLeavingFails() {
        keeper.useSubscribed(channel.get());
        keeper.refresh();
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_REMOVE);
        answers.get(0).completeExceptionally(failure());
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_ADD);
    }

    @Test
    void aRefreshDuringASyncIsToldAsNotDone() {
        keeper.use(channel.get(), TIMEOUT);
        assertThat(keeper.refresh()).isFalse();
        answers.get(0).complete(null);
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_ADD);
        assertThat(keeper.refresh()).isTrue();
    }

    @Test
    void aRefreshThatTheLeaveOvertakesDoesNotJoinAgain() {
        keeper.useSubscribed(channel.get());
        keeper.refresh();
        CompletableFuture<Void> left = keeper.leave(channel.get(), TIMEOUT);
        answerAll();
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_REMOVE);
        assertThat(left).isCompleted();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void nothingIsSentAfterTheLeave() {
        keeper.useSubscribed(channel.get());
        CompletableFuture<Void> left = keeper.leave(channel.get(), TIMEOUT);
        keeper.sync();
        keeper.refresh();
        answers.get(0).complete(null);
        loop.advance(Duration.ofMinutes(5));
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_REMOVE);
        assertThat(left).isCompleted();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void withdrawnItSendsNothingUntilItJoinsAgain() {
        keeper.useSubscribed(channel.get());
        CompletableFuture<Void> withdrawn = keeper.withdraw();
        answerAll();
        assertThat(withdrawn).isCompleted();
        assertThat(keeper.refresh()).isFalse();
        loop.advance(Duration.ofMinutes(5));
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_REMOVE);
        assertThat(keeper.join()).isTrue();
        assertThat(keeper.join()).isFalse();
        answerAll();
        loop.advance(Duration.ofSeconds(30));
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_ADD,
                        LiteSubscriptionAction.COMPLETE_ADD);
    }

    @Test
    void aWithdrawalDuringASyncFollowsIt() {
        keeper.use(channel.get(), TIMEOUT);
        CompletableFuture<Void> withdrawn = keeper.withdraw();
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_ADD);
        answers.get(0).complete(null);
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_ADD,
                        LiteSubscriptionAction.COMPLETE_REMOVE);
        assertThat(withdrawn).isNotDone();
        answers.get(1).complete(null);
        assertThat(withdrawn).isCompleted();
    }

    @Test
    void aJoinDuringAWithdrawalFollowsIt() {
        keeper.useSubscribed(channel.get());
        keeper.withdraw();
        keeper.join();
        assertThat(sent).containsExactly(LiteSubscriptionAction.COMPLETE_REMOVE);
        answers.get(0).complete(null);
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_ADD);
    }

    @Test
    void aFailedWithdrawalIsToldAndRepeated() {
        keeper.useSubscribed(channel.get());
        CompletableFuture<Void> withdrawn = keeper.withdraw();
        answers.get(0).completeExceptionally(failure());
        assertThat(withdrawn).isCompletedExceptionally();
        loop.advance(Duration.ofMillis(100));
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_REMOVE);
        answers.get(1).complete(null);
        loop.advance(Duration.ofMinutes(5));
        assertThat(sent).hasSize(2);
    }

    @Test
    void aNewChannelDoesNotEndAWithdrawal() {
        keeper.useSubscribed(channel.get());
        keeper.withdraw();
        answerAll();
        keeper.use(otherChannel.get(), TIMEOUT);
        answerAll();
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_REMOVE);
    }

    @Test
    void aWithdrawalDuringARefreshIsNotUndoneByIt() {
        keeper.useSubscribed(channel.get());
        keeper.refresh();
        keeper.withdraw();
        answerAll();
        answerAll();
        assertThat(sent)
                .containsExactly(
                        LiteSubscriptionAction.COMPLETE_REMOVE,
                        LiteSubscriptionAction.COMPLETE_REMOVE);
    }

    private CompletableFuture<Void> send(
            RpcChannel used, LiteSubscriptionAction action, String liteTopic, Duration timeout) {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        sent.add(action);
        bounds.add(timeout);
        over.add(used);
        answers.add(answer);
        return answer;
    }

    private void answerAll() {
        for (CompletableFuture<Void> answer : new ArrayList<>(answers)) {
            answer.complete(null);
        }
    }

    private static RpcException failure() {
        return new RpcException(ErrorKind.TRANSIENT, "PROXY_TIMEOUT", "", "host:1", "slow", null);
    }
}
