/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.InjectMiniCluster;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that fail again and again. */
@Timeout(300)
class FailoverITCase {

    private static final int FAILOVERS = 20;
    private static final Duration ARRIVAL = Duration.ofSeconds(120);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @Test
    void twentyFailoversInARowLeaveOneConsumerPerSubtaskAndLoseNothing() throws Exception {
        // beside case 65
        assumeFalse(
                DevCluster.shared().isExternal(),
                "the admin protocol does not tell an external cluster's wildcard subscribers");
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                SourceJob job = SourceJob.on(fixture).parallelism(2)) {
            job.source().setInvisibleDuration(Duration.ofSeconds(10));
            restartAlways(job.options());
            job.start();
            awaitConsumers(fixture, 2);
            for (int i = 0; i < FAILOVERS; i++) {
                int opened = job.opened().size();
                String value = "fail-" + i;
                fixture.send(value, value);
                await().atMost(ARRIVAL).until(() -> job.failed().contains(value));
                await().atMost(ARRIVAL).until(() -> job.opened().size() > opened);
            }
            awaitConsumers(fixture, 2);
            fixture.sendRounds(20, 2);

            await().atMost(ARRIVAL).until(() -> fixture.backlog() == 0);
            assertThat(job.values()).hasSize(FAILOVERS + 40);
            assertThat(consumers(fixture)).hasSize(2);
            assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
        }
    }

    @Test
    void anUnalignedCheckpointCarriesHandlesAndARestoreFromItLosesNothing(
            @TempDir Path checkpoints, @InjectMiniCluster MiniCluster flink) throws Exception {
        // beside case 65: the handles that come back are acked, or stale and their messages
        // redelivered
        try (LiteTopicFixture fixture = LiteTopicFixture.create();
                SourceJob job =
                        SourceJob.on(fixture).parallelism(2).keyed().slow(Duration.ofMillis(20))) {
            job.source().setInvisibleDuration(Duration.ofSeconds(10));
            restartAlways(job.options());
            job.options()
                    .set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(250))
                    .set(CheckpointingOptions.ENABLE_UNALIGNED, true)
                    .set(
                            CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                            checkpoints.toUri().toString());
            job.start();
            fixture.sendRounds(40, 10);
            await().atMost(ARRIVAL).until(() -> largestInFlight(flink, job) > 0);
            fixture.send("fail", "fail");
            await().atMost(ARRIVAL).until(() -> job.failed().size() == 1);

            await().atMost(ARRIVAL).until(() -> fixture.backlog() == 0);
            assertThat(job.values()).hasSize(401);
            assertThat(restored(flink, job)).isNotNull();
            assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
        }
    }

    private static void restartAlways(Configuration options) {
        options.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay")
                .set(
                        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS,
                        Integer.MAX_VALUE)
                .set(
                        RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY,
                        Duration.ofMillis(100));
    }

    /** Bytes of records between the operators in a completed checkpoint. */
    private static long largestInFlight(MiniCluster flink, SourceJob job) throws Exception {
        return flink
                .getExecutionGraph(job.client().getJobID())
                .get()
                .getCheckpointStatsSnapshot()
                .getHistory()
                .getCheckpoints()
                .stream()
                .filter(checkpoint -> checkpoint.getStatus().isCompleted())
                .mapToLong(AbstractCheckpointStats::getPersistedData)
                .max()
                .orElse(0);
    }

    private static Object restored(MiniCluster flink, SourceJob job) throws Exception {
        return flink.getExecutionGraph(job.client().getJobID())
                .get()
                .getCheckpointStatsSnapshot()
                .getLatestRestoredCheckpoint();
    }

    private static void awaitConsumers(LiteTopicFixture fixture, int count) {
        await().atMost(ARRIVAL).until(() -> consumers(fixture).size() == count);
    }

    private static Set<String> consumers(LiteTopicFixture fixture) {
        return fixture.cluster().consumerClientIds(fixture.topic(), fixture.group());
    }
}
