/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Six jobs at once, because most of the time each of them waits. */
@Timeout(300)
class StopWithSavepointITCase {

    private static final Duration ARRIVAL = Duration.ofSeconds(120);
    private static final int LITE_TOPICS = 12;
    private static final int ROUNDS = 20;

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(6)
                            .build());

    @Test
    void idleBusyAndBackPressuredJobsStopInTimeWithAndWithoutDrainAndLoseNothing(
            @TempDir Path savepoints) throws Exception {
        // case 28
        List<Stopped> all = new ArrayList<>();
        try {
            for (boolean drain : new boolean[] {false, true}) {
                all.add(new Stopped("idle", drain, Duration.ZERO, 0));
                all.add(new Stopped("busy", drain, Duration.ofMillis(5), ROUNDS));
                all.add(new Stopped("back-pressured", drain, Duration.ofMillis(50), ROUNDS));
            }
            for (Stopped each : all) {
                each.start(null);
            }
            for (Stopped each : all) {
                each.load();
            }
            for (Stopped each : all) {
                each.stop(savepoints);
            }
            for (Stopped each : all) {
                each.awaitStop();
            }
            for (Stopped each : all) {
                each.start(each.savepoint.get());
                each.fixture.send("after", "after");
            }
            for (Stopped each : all) {
                each.assertNothingLost();
            }
        } finally {
            for (Stopped each : all) {
                each.close();
            }
        }
    }

    /** One job that is stopped and started again from its savepoint. */
    private static final class Stopped implements AutoCloseable {
        private final String name;
        private final boolean drain;
        private final Duration perRecord;
        private final int rounds;
        private final LiteTopicFixture fixture = LiteTopicFixture.create();
        private final List<SourceJob> jobs = new ArrayList<>();
        private CompletableFuture<String> savepoint;

        private Stopped(String name, boolean drain, Duration perRecord, int rounds)
                throws Exception {
            this.name = name + (drain ? ", drained" : "");
            this.drain = drain;
            this.perRecord = perRecord;
            this.rounds = rounds;
        }

        private void start(String from) throws Exception {
            SourceJob job = SourceJob.on(fixture).keyed().slow(perRecord);
            jobs.add(job);
            job.source().setInvisibleDuration(Duration.ofSeconds(10));
            if (from != null) {
                job.from(from);
            }
            job.start();
        }

        /** Returns when the job is at work; much is left then. */
        private void load() throws Exception {
            fixture.send("before", "before");
            await().atMost(ARRIVAL).until(() -> jobs.get(0).count("before") > 0);
            fixture.sendRounds(LITE_TOPICS, rounds);
            await().atMost(ARRIVAL).until(() -> rounds == 0 || jobs.get(0).values().size() > 1);
        }

        private void stop(Path savepoints) {
            savepoint =
                    jobs.get(0)
                            .client()
                            .stopWithSavepoint(
                                    drain,
                                    savepoints.toUri().toString(),
                                    SavepointFormatType.CANONICAL);
        }

        private void awaitStop() {
            assertThat(savepoint).as(name).succeedsWithin(30, TimeUnit.SECONDS);
        }

        private void assertNothingLost() {
            await(name).atMost(ARRIVAL).until(() -> fixture.backlog() == 0);
            long distinct = jobs.stream().flatMap(job -> job.values().stream()).distinct().count();
            assertThat(distinct).as(name).isEqualTo(2 + (long) LITE_TOPICS * rounds);
        }

        @Override
        public void close() throws Exception {
            for (SourceJob job : jobs) {
                job.close();
            }
            fixture.close();
        }
    }
}
