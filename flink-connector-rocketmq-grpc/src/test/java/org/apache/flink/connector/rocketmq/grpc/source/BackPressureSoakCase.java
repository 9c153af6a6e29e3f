/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Slow and blocked downstreams; prints the figures of {@code docs/leases.md}. */
@Timeout(900)
class BackPressureSoakCase {

    private static final Duration LONG = Duration.ofSeconds(300);
    private static final Duration PHASE = Duration.ofSeconds(15);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(16)
                            .build());

    @Test
    void withDefaultsADownstreamOfOneMessageASecondProcessesTwoHundredInTheEnd() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                PacedJob job = PacedJob.on(fixture)) {
            job.pace().every(1000);
            fixture.sendRounds(100, 2);
            long begun = System.nanoTime();
            job.start();
            await().atMost(Duration.ofMinutes(12)).until(() -> job.values().size() == 200);
            await().atMost(LONG).until(() -> fixture.backlog() == 0);
            System.out.println(
                    "200 messages at 1 per second, defaults: all after "
                            + Duration.ofNanos(System.nanoTime() - begun).getSeconds()
                            + " s, passed to the downstream "
                            + job.got().size()
                            + " times");
        }
    }

    @Test
    void aDownstreamThatIsBlockedHalfOfTheTimeLosesNoneOfTheOtherHalf() throws Exception {
        CompletableFuture<Double> alone = running(1, 8);
        CompletableFuture<Double> four = running(4, 8);
        CompletableFuture<Double> fourWithLittle = running(4, 1);

        assertThat(alone.get(600, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(0.9);
        assertThat(four.get(600, TimeUnit.SECONDS)).isGreaterThanOrEqualTo(0.9);
        assertThat(fourWithLittle.get(600, TimeUnit.SECONDS)).isPositive();
    }

    private static CompletableFuture<Double> running(int parallelism, int concurrency) {
        return CompletableFuture.supplyAsync(
                () -> shareOf(parallelism, concurrency), a -> new Thread(a, "run").start());
    }

    /** Rate while not blocked, as a share of the rate of a downstream that never is. */
    private static double shareOf(int parallelism, int concurrency) {
        long millis = 20L * parallelism;
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                PacedJob job = PacedJob.on(fixture).parallelism(parallelism)) {
            fixture.sendRounds(300, 25);
            job.source().setFetchConcurrency(concurrency);
            job.pace().every(millis);
            job.start();
            await().atMost(LONG).until(() -> job.got().size() > 500);
            double steady = rateDuring(job, PHASE);
            int inFreePhases = 0;
            long freeNanos = 0;
            for (int round = 0; round < 2; round++) {
                job.pace().block();
                TimeUnit.NANOSECONDS.sleep(PHASE.toNanos());
                int before = job.got().size();
                long begun = System.nanoTime();
                job.pace().every(millis);
                TimeUnit.NANOSECONDS.sleep(PHASE.toNanos());
                inFreePhases += job.got().size() - before;
                freeNanos += System.nanoTime() - begun;
            }
            double free = inFreePhases * 1e9 / freeNanos;
            System.out.printf(
                    "parallelism %d, fetch-concurrency %d: %.1f messages/s never blocked, %.1f in the free 15 s after 15 s"
                            + " blocked: share %.2f%n",
                    parallelism, concurrency, steady, free, free / steady);
            return free / steady;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private static double rateDuring(PacedJob job, Duration time) throws Exception {
        int before = job.got().size();
        long begun = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        return (job.got().size() - before) * 1e9 / (System.nanoTime() - begun);
    }

    @Test
    void aBlockedReaderThatWithdrawsHoldsUpNothingOfAnotherOne() throws Exception {
        CompletableFuture<List<Duration>> without =
                CompletableFuture.supplyAsync(
                        () -> delaysBesideABlockedReader(null),
                        a -> new Thread(a, "without").start());
        List<Duration> with = delaysBesideABlockedReader(Duration.ofSeconds(5));
        print("withdraw-after off", without.get(600, TimeUnit.SECONDS));
        print("withdraw-after 5 s", with);

        assertThat(with.get(with.size() - 1)).isLessThan(Duration.ofSeconds(5));
    }

    private static void print(String name, List<Duration> sorted) {
        System.out.printf(
                "beside a blocked reader, %s: p50 %d ms, p90 %d ms, max %d ms%n",
                name,
                sorted.get(sorted.size() / 2).toMillis(),
                sorted.get(sorted.size() * 9 / 10).toMillis(),
                sorted.get(sorted.size() - 1).toMillis());
    }

    /** Sorted delays of 300 messages on as many lite topics, from send to the free reader. */
    private static List<Duration> delaysBesideABlockedReader(Duration withdrawAfter) {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                PacedJob blocked = PacedJob.on(fixture);
                PacedJob free = PacedJob.on(fixture)) {
            blocked.pace().block();
            blocked.source().setInvisibleDuration(Duration.ofMinutes(10));
            if (withdrawAfter != null) {
                blocked.source().setWithdrawAfter(withdrawAfter);
            }
            blocked.start();
            fixture.sendRounds(64, 1);
            await().atMost(LONG).until(() -> blocked.got().size() == 1);
            free.start();
            AtomicInteger probes = new AtomicInteger();
            await().atMost(LONG)
                    .pollInterval(Duration.ofMillis(500))
                    .until(
                            () -> {
                                fixture.send("probe-" + probes.incrementAndGet(), "probe");
                                return free.values().contains("probe");
                            });
            TimeUnit.SECONDS.sleep(30);
            List<Long> sent = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                sent.add(System.nanoTime());
                fixture.send("timed-" + i, "timed-" + i);
                TimeUnit.MILLISECONDS.sleep(100);
            }
            await().atMost(LONG).until(() -> timed(free).size() >= 300);
            List<Duration> delays = new ArrayList<>();
            for (PacedJob.Got got : timed(free)) {
                int number = Integer.parseInt(got.value.substring("timed-".length()));
                delays.add(got.since(sent.get(number)));
            }
            Collections.sort(delays);
            return delays;
        } catch (Exception e) {
            throw new CompletionException(e);
        }
    }

    private static List<PacedJob.Got> timed(PacedJob job) {
        return job.gotOf(v -> v.startsWith("timed-"));
    }
}
