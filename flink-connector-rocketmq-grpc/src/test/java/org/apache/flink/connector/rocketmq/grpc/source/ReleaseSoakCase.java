/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long the lite topics stand still whose messages a reader held when it ended: for every way to
 * end, with another reader of the group and as a lone job that is started anew at once, with and
 * without release on close. Prints the rows of the table of {@code docs/leases.md}: end, what
 * follows, release on close, time until all lite topics flow again of which nothing was emitted,
 * and until the others do.
 */
@Timeout(1800)
class ReleaseSoakCase {

    private static final Duration LONG = Duration.ofSeconds(240);
    private static final int LITE_TOPICS = 20;
    private static final int PER_LITE_TOPIC = 3;
    private static final int ALL = LITE_TOPICS * PER_LITE_TOPIC;

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(16)
                            .build());

    @TempDir Path savepoints;

    @ParameterizedTest
    @EnumSource(End.class)
    void interruptedLiteTopicsFlowAgain(End end) throws Exception {
        List<Run> runs = new ArrayList<>();
        for (boolean release : new boolean[] {true, false}) {
            if (release || end != End.KILL) {
                runs.addAll(both(end, release));
            }
        }

        assertThat(runs).allSatisfy(run -> assertThat(run.heldBack).isNotNull());
    }

    /** With another reader and alone, side by side. */
    private List<Run> both(End end, boolean release) throws Exception {
        List<Run> runs = List.of(new Run(end, true, release), new Run(end, false, release));
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (Run run : runs) {
            running.add(CompletableFuture.runAsync(run, a -> new Thread(a, "run").start()));
        }
        for (CompletableFuture<Void> run : running) {
            run.get(600, TimeUnit.SECONDS);
        }
        return runs;
    }

    /** How a reader ends. */
    private enum End {
        CANCEL,
        STOP_WITH_SAVEPOINT,
        FAILOVER,
        KILL
    }

    /** One way to end and to go on. */
    private final class Run implements Runnable {
        private final End end;
        private final boolean live;
        private final boolean release;
        private Duration heldBack;
        private Duration alsoBegun;

        private Run(End end, boolean live, boolean release) {
            this.end = end;
            this.live = live;
            this.release = release;
        }

        @Override
        public void run() {
            try (LiteTopicFixture fixture = LiteTopicFixture.create()) {
                if (end == End.KILL) {
                    kill(fixture);
                } else {
                    interrupt(fixture);
                }
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        }

        private void interrupt(LiteTopicFixture fixture) throws Exception {
            try (PacedJob first = PacedJob.on(fixture);
                    PacedJob next = PacedJob.on(fixture)) {
                first.source().setFetchConcurrency(4).setReleaseOnClose(release);
                first.pace().every(1500);
                first.start();
                fixture.sendRounds(LITE_TOPICS, PER_LITE_TOPIC);
                await().atMost(LONG).until(() -> first.values().size() >= 4);
                if (live) {
                    startServed(fixture, next);
                }
                long begun = System.nanoTime();
                Set<String> seen = valuesOf(first.got());
                if (end == End.CANCEL) {
                    first.cancel();
                } else if (end == End.STOP_WITH_SAVEPOINT) {
                    first.stopWithSavepoint(savepoints.toUri().toString());
                } else {
                    first.pace().fail();
                    first.pace().open();
                }
                if (!live && end != End.FAILOVER) {
                    next.start();
                }
                measure(fixture, begun, seen, first, next);
            }
        }

        private void kill(LiteTopicFixture fixture) throws Exception {
            try (ChildJob first =
                            ChildJob.start(
                                    List.of("-Xmx256m"),
                                    "rocketmq.client.endpoints=" + fixture.endpoints(),
                                    "rocketmq.source.main-topic=" + fixture.topic(),
                                    "rocketmq.source.consumer-group=" + fixture.group(),
                                    "rocketmq.source.fetch-concurrency=4");
                    PacedJob idle = PacedJob.on(fixture);
                    PacedJob next = PacedJob.on(fixture)) {
                fixture.sendRounds(LITE_TOPICS, PER_LITE_TOPIC);
                await().atMost(LONG).until(() -> first.values().size() >= 1);
                if (live) {
                    startServed(fixture, next);
                }
                long begun = System.nanoTime();
                first.kill();
                if (!live) {
                    next.start();
                }
                measure(fixture, begun, Set.copyOf(first.values()), idle, next);
            }
        }

        /** Starts another reader, which gets new messages before it is relied on. */
        private void startServed(LiteTopicFixture fixture, PacedJob next) throws Exception {
            next.start();
            AtomicInteger probes = new AtomicInteger();
            await().atMost(LONG)
                    .pollInterval(Duration.ofMillis(500))
                    .until(
                            () -> {
                                fixture.send("probe-" + probes.incrementAndGet(), "probe");
                                return next.values().contains("probe");
                            });
        }

        /** From the end until what nobody had begun, and until everything, is there. */
        private void measure(
                LiteTopicFixture fixture,
                long begun,
                Set<String> seen,
                PacedJob first,
                PacedJob next) {
            Set<String> begunTopics =
                    seen.stream().map(v -> v.replaceAll("#.*", "")).collect(Collectors.toSet());
            List<PacedJob.Got> later = new ArrayList<>();
            await().atMost(LONG)
                    .until(
                            () -> {
                                later.clear();
                                later.addAll(after(begun, first));
                                later.addAll(after(begun, next));
                                Set<String> values = valuesOf(later);
                                values.addAll(seen);
                                return values.size() >= ALL;
                            });
            long untouched = begun;
            long touched = begun;
            for (PacedJob.Got got : later) {
                if (seen.contains(got.value)) {
                    continue;
                }
                if (begunTopics.contains(got.liteTopic)) {
                    touched = Math.max(touched, got.nanoTime);
                } else {
                    untouched = Math.max(untouched, got.nanoTime);
                }
            }
            heldBack = Duration.ofNanos(untouched - begun);
            alsoBegun = Duration.ofNanos(touched - begun);
            System.out.println(row());
            await().atMost(LONG).until(() -> fixture.backlog() == 0);
        }

        private String row() {
            return String.format(
                    "| %s | %s | %s | %.1f s | %.1f s |",
                    end,
                    live ? "another reader" : "alone again",
                    end == End.KILL ? "-" : release ? "on" : "off",
                    heldBack.toMillis() / 1000.0,
                    alsoBegun.toMillis() / 1000.0);
        }
    }

    private static List<PacedJob.Got> after(long begun, PacedJob job) {
        return job.gotOf(v -> v.startsWith("lt-")).stream()
                .filter(got -> got.nanoTime > begun)
                .collect(Collectors.toList());
    }

    private static Set<String> valuesOf(List<PacedJob.Got> got) {
        return got.stream()
                .map(g -> g.value)
                .filter(v -> v.startsWith("lt-"))
                .collect(Collectors.toSet());
    }
}
