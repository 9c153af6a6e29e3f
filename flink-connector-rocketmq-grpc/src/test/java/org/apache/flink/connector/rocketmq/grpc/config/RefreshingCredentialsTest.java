/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.rocketmq.grpc.testing.LogCapture;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.junit.jupiter.api.Test;

/** Requests never wait for a resolver that answered before, and a refusal is looked into once. */
class RefreshingCredentialsTest {

    private static final Credentials OLD = Credentials.of("old", "secret-1");
    private static final Credentials NEW = Credentials.of("new", "secret-2");

    private static final Callable<Credentials> FAILING =
            () -> {
                throw new IllegalStateException("vault sealed");
            };

    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private Callable<Credentials> resolver = () -> OLD;
    private long nanos;
    private int calls;
    private final RefreshingCredentials credentials =
            new RefreshingCredentials(
                    "resolver R, endpoints E",
                    () -> {
                        calls++;
                        return resolver.call();
                    },
                    tasks::add,
                    () -> nanos);

    @Test
    void theFirstRequestsWaitForOneLookUp() {
        CompletableFuture<Credentials> first = ask();
        CompletableFuture<Credentials> second = ask();
        assertThat(first).isNotDone();
        assertThat(tasks).hasSize(1);

        runTasks();
        assertThat(first).isCompletedWithValue(OLD);
        assertThat(second).isCompletedWithValue(OLD);
        assertThat(ask()).isCompletedWithValue(OLD);
        assertThat(calls).isEqualTo(1);
    }

    @Test
    void afterAWhileTheyAreLookedUpAgainInTheBackground() {
        resolveFirst();
        resolver = () -> NEW;
        pass(RefreshingCredentials.REFRESH);

        assertThat(ask()).isCompletedWithValue(OLD);
        assertThat(ask()).isCompletedWithValue(OLD);
        assertThat(tasks).hasSize(1);
        runTasks();
        assertThat(ask()).isCompletedWithValue(NEW);
    }

    @Test
    void aResolverThatHangsDelaysNobodyWhoHasCredentials() {
        resolveFirst();
        pass(RefreshingCredentials.REFRESH);
        ask();

        pass(Duration.ofHours(1));
        assertThat(ask()).isCompletedWithValue(OLD);
        assertThat(tasks).hasSize(1);
    }

    @Test
    void aFailureKeepsWhatIsKnown() {
        resolveFirst();
        resolver = FAILING;
        pass(RefreshingCredentials.REFRESH);
        ask();
        runTasks();

        assertThat(ask()).isCompletedWithValue(OLD);
        assertThat(tasks).isEmpty();
    }

    @Test
    void aFirstFailureSaysWhoFailedAndTheNextRequestAsksAgain() {
        resolver = FAILING;
        CompletableFuture<Credentials> failed = ask();
        runTasks();
        assertThatThrownBy(failed::join)
                .hasRootCauseMessage("vault sealed")
                .hasMessageContaining("resolver R, endpoints E: IllegalStateException: vault");

        resolver = () -> null;
        CompletableFuture<Credentials> none = ask();
        runTasks();
        assertThatThrownBy(none::join).hasMessageContaining("null instead of credentials");

        resolver = () -> NEW;
        CompletableFuture<Credentials> found = ask();
        runTasks();
        assertThat(found).isCompletedWithValue(NEW);
    }

    @Test
    void refusedCredentialsAreLookedUpBeforeTheNextRequest() {
        resolveFirst();
        resolver = () -> NEW;

        assertThat(credentials.refused(OLD)).isTrue();
        CompletableFuture<Credentials> next = ask();
        assertThat(next).isNotDone();
        runTasks();
        assertThat(next).isCompletedWithValue(NEW);
        // a late answer to a request that was signed with the old ones
        assertThat(credentials.refused(OLD)).isTrue();
        assertThat(ask()).isCompletedWithValue(NEW);
    }

    @Test
    void everyRefusedRequestIsALineAtDebugWithoutAKeyInIt() {
        resolveFirst();
        try (LogCapture logs = LogCapture.begin()) {
            credentials.refused(OLD);
            credentials.refused(OLD);

            // what CredentialsITCase counts
            assertThat(logs.lines())
                    .filteredOn(line -> line.contains("RefreshingCredentials"))
                    .hasSize(2)
                    .allMatch(
                            line ->
                                    line.endsWith(
                                            "resolver R, endpoints E: a request was refused"));
        }
    }

    @Test
    void aRefusalIsFinalWhenTheResolverGivesTheSameAgain() {
        resolveFirst();
        assertThat(credentials.refused(OLD)).isTrue();
        assertThat(credentials.refused(OLD)).isTrue();
        ask();
        runTasks();

        assertThat(credentials.refused(OLD)).isFalse();
        assertThat(credentials.refused(OLD)).isFalse();
        pass(RefreshingCredentials.CONFIRMATION);
        assertThat(credentials.refused(OLD)).isTrue();
    }

    @Test
    void anErrorOfTheResolverReachesWhoWaitsAndTheNextLookUpBegins() {
        resolver =
                () -> {
                    throw new AssertionError("broken");
                };
        CompletableFuture<Credentials> first = ask();
        runTasks();
        assertThat(first).isCompletedExceptionally();

        resolver = () -> NEW;
        pass(RefreshingCredentials.REFRESH);
        ask();
        runTasks();

        assertThat(ask()).isCompletedWithValue(NEW);
    }

    @Test
    void aLookUpThatFailsAfterARefusalProvesNothingAndNewKeysAreFoundByALaterOne() {
        resolveFirst();
        assertThat(credentials.refused(OLD)).isTrue();
        resolver = FAILING;
        CompletableFuture<Credentials> next = ask();
        runTasks();
        assertThat(next).isCompletedWithValue(OLD);
        assertThat(credentials.refused(OLD)).as("refused again after the failure").isTrue();

        resolver = () -> NEW;
        pass(RefreshingCredentials.PAUSE);
        CompletableFuture<Credentials> found = ask();
        assertThat(found).as("waits for the look-up").isNotDone();
        runTasks();
        assertThat(found).isCompletedWithValue(NEW);
        assertThat(credentials.obstacle()).isEmpty();
        assertThat(credentials.refused(NEW)).as("another refusal is looked into anew").isTrue();
    }

    @Test
    void lookUpsThatFailAfterARefusalHaveAPauseBetweenThemAndHoldUpNoRequest() {
        resolveFirst();
        credentials.refused(OLD);
        resolver = FAILING;
        ask();
        runTasks();
        int before = calls;

        for (int i = 0; i < 100; i++) {
            assertThat(ask()).isCompletedWithValue(OLD);
        }
        assertThat(tasks).isEmpty();
        pass(RefreshingCredentials.PAUSE);
        ask();
        runTasks();
        assertThat(calls).isEqualTo(before + 1);
    }

    @Test
    void aRefusalIsFinalWhenTheResolverFailsForAMinuteAndBothReasonsAreTold() {
        resolveFirst();
        credentials.refused(OLD);
        resolver = FAILING;
        Duration passed = Duration.ZERO;
        while (passed.compareTo(RefreshingCredentials.UNANSWERED) < 0) {
            ask();
            runTasks();
            assertThat(credentials.refused(OLD)).as("after %s", passed).isTrue();
            pass(RefreshingCredentials.PAUSE);
            passed = passed.plus(RefreshingCredentials.PAUSE);
        }

        assertThat(credentials.refused(OLD)).isFalse();
        assertThat(credentials.obstacle())
                .hasValue(
                        "resolver R, endpoints E could not say for 60 s whether there are others:"
                                + " IllegalStateException: vault sealed");
        // afterwards too, a resolver that answers again ends it
        resolver = () -> NEW;
        ask();
        runTasks();
        assertThat(ask()).isCompletedWithValue(NEW);
        assertThat(credentials.obstacle()).isEmpty();
    }

    @Test
    void aResolverThatHangsAfterARefusalHoldsRequestsUpForAMinuteAtMost() {
        resolveFirst();
        credentials.refused(OLD);
        assertThat(ask()).isNotDone();
        pass(RefreshingCredentials.UNANSWERED);

        assertThat(ask()).isCompletedWithValue(OLD);
        assertThat(credentials.refused(OLD)).isFalse();
        assertThat(credentials.obstacle())
                .hasValueSatisfying(text -> assertThat(text).endsWith("others: no answer"));
    }

    @Test
    void aLookUpThatBeganBeforeTheRefusalDoesNotCount() {
        resolveFirst();
        pass(RefreshingCredentials.REFRESH);
        ask();
        // 1. the look-up reads the old secret, 2. the server refuses it, 3. the look-up ends
        resolver =
                () -> {
                    resolver = () -> NEW;
                    assertThat(credentials.refused(OLD)).isTrue();
                    return OLD;
                };
        runTasks();

        assertThat(ask()).isCompletedWithValue(NEW);
        assertThat(calls).isEqualTo(3);
    }

    @Test
    void anExecutorThatIsClosedFailsTheRequest() {
        RefreshingCredentials closed =
                new RefreshingCredentials(
                        "resolver R",
                        () -> OLD,
                        task -> {
                            throw new java.util.concurrent.RejectedExecutionException();
                        },
                        () -> nanos);
        assertThatThrownBy(() -> closed.credentials().toCompletableFuture().join())
                .hasMessageContaining("resolver R: IllegalStateException: closed");
    }

    private void resolveFirst() {
        ask();
        runTasks();
    }

    private CompletableFuture<Credentials> ask() {
        return credentials.credentials().toCompletableFuture();
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private void pass(Duration duration) {
        nanos += duration.toNanos();
    }
}
