/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.rocketmq.grpc.lite.Backoff;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;

/** When a broker counts as away, and when as back. */
class OutageWatchTest {

    private final ManualLoop loop = new ManualLoop();
    private final FakeHost host = new FakeHost();
    private final OutageWatch watch =
            new OutageWatch(
                    loop,
                    host,
                    new Backoff(OutageWatch.FIRST_LOOK, OutageWatch.LONGEST_PAUSE, () -> 0.5));

    @Test
    void aBrokerThatWasAwayIsToldAsBackWithinTwoSeconds() {
        watch.pollFailed("a");
        loop.advance(Duration.ofSeconds(60));
        int looks = host.looks;
        host.reachable = Set.of("a");
        loop.advance(OutageWatch.LONGEST_PAUSE);

        assertThat(looks).isBetween(29, 33);
        assertThat(host.back).containsExactly(Set.of("a"));
        assertThat(loop.timers()).isZero();
    }

    @Test
    void aPollThatFailsAtABrokerThatIsThereIsNoOutage() {
        host.reachable = Set.of("a");
        watch.pollFailed("a");
        loop.advance(Duration.ofMinutes(1));

        assertThat(host.looks).isEqualTo(1);
        assertThat(host.back).isEmpty();
    }

    @Test
    void aFailedLookIsAnOutageOfEveryBrokerThatIsWatched() {
        watch.pollFailed("a");
        host.failure = failure();
        loop.advance(Duration.ofSeconds(5));
        host.failure = null;
        host.reachable = Set.of("a", "b");
        loop.advance(OutageWatch.LONGEST_PAUSE);

        assertThat(host.back).containsExactly(Set.of("a"));
    }

    @Test
    void manyFailuresAreOneLookAtATime() {
        for (int i = 0; i < 100; i++) {
            watch.pollFailed("a");
            watch.pollFailed("b");
        }
        loop.advance(OutageWatch.FIRST_LOOK);

        assertThat(host.looks).isEqualTo(1);
        assertThat(loop.timers()).isEqualTo(1);
    }

    @Test
    void aLookWithoutAnAnswerIsNotRepeated() {
        host.silent = true;
        watch.pollFailed("a");
        loop.advance(OutageWatch.FIRST_LOOK);
        watch.pollFailed("a");
        loop.advance(Duration.ofMinutes(1));

        assertThat(host.looks).isEqualTo(1);
    }

    @Test
    void aBrokerWhosePollSucceedsIsLookedAtNoMore() {
        watch.pollFailed("a");
        watch.answered("a");
        loop.advance(Duration.ofMinutes(1));

        assertThat(host.looks).isZero();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void oneThatIsBackIsToldWhileTheOtherIsLookedAtFurther() {
        watch.pollFailed("a");
        watch.pollFailed("b");
        loop.advance(Duration.ofSeconds(5));
        host.reachable = Set.of("b");
        loop.advance(Duration.ofSeconds(5));
        host.reachable = Set.of("a", "b");
        loop.advance(Duration.ofSeconds(5));

        assertThat(host.back).containsExactly(Set.of("b"), Set.of("a"));
    }

    @Test
    void aBrokerThatNeverComesBackIsGivenUp() {
        watch.pollFailed("a");
        loop.advance(OutageWatch.LIMIT.plusSeconds(5));

        assertThat(loop.timers()).isZero();
        assertThat(host.back).isEmpty();
    }

    @Test
    void nothingHappensAfterTheStop() {
        watch.pollFailed("a");
        watch.stop();
        watch.pollFailed("a");
        loop.advance(Duration.ofMinutes(1));

        assertThat(host.looks).isZero();
        assertThat(loop.timers()).isZero();
    }

    private static RpcException failure() {
        return new RpcException(ErrorKind.TRANSIENT, "TOPIC_NOT_FOUND", "", "host:1", "away", null);
    }

    /** Answers what the test says. */
    private static final class FakeHost implements OutageWatch.Host {
        private final List<Set<String>> back = new ArrayList<>();
        private Set<String> reachable = Set.of();
        private RpcException failure;
        private boolean silent;
        private int looks;

        @Override
        public CompletableFuture<Set<String>> reachableBrokers() {
            looks++;
            if (silent) {
                return new CompletableFuture<>();
            }
            return failure == null
                    ? CompletableFuture.completedFuture(reachable)
                    : CompletableFuture.failedFuture(failure);
        }

        @Override
        public void back(Set<String> brokers) {
            back.add(brokers);
        }
    }
}
