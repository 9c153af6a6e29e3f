/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The source in a Flink job, on the real server. */
@Timeout(240)
class RocketMQGrpcSourceITCase {

    private static final Duration ARRIVAL = Duration.ofSeconds(60);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    @Test
    void messagesThatNobodyAcksComeBack() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                SourceJob job = SourceJob.on(fixture).withoutAcks()) {
            job.source().setInvisibleDuration(Duration.ofSeconds(10));
            job.start();
            fixture.send("a", "a-0");
            fixture.send("b", "b-0");

            await().atMost(ARRIVAL)
                    .untilAsserted(
                            () -> {
                                assertThat(job.count("a-0")).isGreaterThanOrEqualTo(2);
                                assertThat(job.count("b-0")).isGreaterThanOrEqualTo(2);
                            });
            assertThat(fixture.backlog()).isEqualTo(2);
        }
    }

    @Test
    void everySubtaskOfFourReceivesThroughOneConsumerOfItsOwn() throws Exception {
        // beside case 65
        assumeClientIdsCanBeRead();
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                SourceJob job = SourceJob.on(fixture).parallelism(4).start()) {
            awaitConsumers(fixture, 4);
            fixture.sendRounds(200, 5);

            await().atMost(ARRIVAL).until(() -> job.values().size() == 1000);
            // Once one subtask got none of the thousand. The broker (5.5.0) keeps its list of
            // candidates for up to 30 s, which may be why: more lite topics, for longer than that.
            AtomicInteger more = new AtomicInteger();
            await().atMost(ARRIVAL)
                    .pollInterval(Duration.ofMillis(500))
                    .untilAsserted(
                            () -> {
                                for (int i = 0; i < 10; i++) {
                                    fixture.send("more-" + more.incrementAndGet(), "more");
                                }
                                assertThat(job.notes().stream().map(n -> n.subtask).distinct())
                                        .containsExactlyInAnyOrder(0, 1, 2, 3);
                            });
            assertThat(consumers(fixture)).hasSize(4);
        }
    }

    @Test
    void everySubtaskHasOneConsumerAfterRestoresWithOtherParallelisms(@TempDir Path savepoints)
            throws Exception {
        // case 65
        assumeClientIdsCanBeRead();
        try (LiteTopicFixture fixture = LiteTopicFixture.create()) {
            String savepoint = null;
            for (int parallelism : new int[] {2, 4, 1}) {
                try (SourceJob job = SourceJob.on(fixture).parallelism(parallelism)) {
                    if (savepoint != null) {
                        job.from(savepoint);
                    }
                    job.start();
                    awaitConsumers(fixture, parallelism);
                    String value = "at parallelism " + parallelism;
                    fixture.send("lite-" + parallelism, value);
                    await().atMost(ARRIVAL).until(() -> job.count(value) == 1);
                    savepoint =
                            job.client()
                                    .stopWithSavepoint(
                                            false,
                                            savepoints.toUri().toString(),
                                            SavepointFormatType.CANONICAL)
                                    .get(30, TimeUnit.SECONDS);
                }
            }
        }
    }

    @Test
    void cancellingAnIdleJobWaitsForNoLongPollAndLeavesNoThread() throws Exception {
        // case 27
        try (LiteTopicFixture fixture = LiteTopicFixture.create()) {
            Set<String> before = OurThreads.alive();
            try (SourceJob job = SourceJob.on(fixture).start()) {
                await().atMost(ARRIVAL)
                        .until(
                                () ->
                                        fixture.cluster()
                                                .hasSubscriber(fixture.topic(), fixture.group()));
                Duration taken = job.cancel();

                System.out.println("an idle job was cancelled in " + taken.toMillis() + " ms");
                // the long poll has begun just now and lasts 20 s
                assertThat(taken).isLessThan(Duration.ofSeconds(15));
                assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.CANCELED);
                await().atMost(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(before).containsAll(OurThreads.alive()));
            }
        }
    }

    @Test
    void aMessageInAnIdleTopicIsEmittedWithinTwoHundredMilliseconds() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                SourceJob job = SourceJob.on(fixture).start()) {
            fixture.send("warm-up", "warm-up");
            await().atMost(ARRIVAL).until(() -> job.count("warm-up") == 1);
            List<Duration> delays = new ArrayList<>();
            for (int i = 0; i < 15; i++) {
                String value = "message-" + i;
                fixture.send("idle-" + i, value);
                long stored = System.nanoTime();
                await().atMost(ARRIVAL)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> job.count(value) == 1);
                long emitted =
                        job.notes().stream()
                                .filter(n -> n.value.equals(value))
                                .findFirst()
                                .orElseThrow(AssertionError::new)
                                .nanoTime;
                delays.add(Duration.ofNanos(emitted - stored));
            }
            Collections.sort(delays);

            assertThat(delays.get(delays.size() / 2)).isLessThan(Duration.ofMillis(200));
        }
    }

    private static void assumeClientIdsCanBeRead() {
        assumeFalse(
                DevCluster.shared().isExternal(),
                "the admin protocol does not tell an external cluster's wildcard subscribers");
    }

    private static void awaitConsumers(LiteTopicFixture fixture, int count) {
        await().atMost(ARRIVAL).until(() -> consumers(fixture).size() == count);
    }

    private static Set<String> consumers(LiteTopicFixture fixture) {
        return fixture.cluster().consumerClientIds(fixture.topic(), fixture.group());
    }
}
