/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One restart of the broker under a lone reader; {@link RestartSoakCase} measures many. */
@Timeout(300)
class RestartITCase {

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void aRestartedBrokerIsReadAgainWithItsBacklog() throws Exception {
        // beside case 25
        try (DevCluster cluster = DevCluster.builder().start();
                LiteTopicFixture fixture = LiteTopicFixture.create(cluster);
                SourceJob job = SourceJob.on(fixture).start()) {
            RestartProbe probe = new RestartProbe(fixture, job);
            probe.warmUp();
            probe.pileUp();
            cluster.restartBroker(0);
            Duration backlog = probe.drain();
            Duration fresh = probe.newMessage();
            System.out.println(
                    "broker restart: backlog of 500 in "
                            + backlog.toMillis()
                            + " ms, then a new message in "
                            + fresh.toMillis()
                            + " ms");

            assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
            assertThat(job.opened()).hasSize(1);
        }
    }
}
