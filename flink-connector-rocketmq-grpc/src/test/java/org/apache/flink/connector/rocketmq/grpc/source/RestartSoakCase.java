/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A lone reader, and a broker or the proxy that restarts five times, with and without a backlog.
 * Prints how long after the return a new message, and the whole backlog, were there; the figures of
 * {@code docs/failures.md} are from here.
 */
@Timeout(1200)
class RestartSoakCase {

    private static final int RESTARTS = 5;

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void aRestartedBrokerIsReadAtOnce() throws Exception {
        try (DevCluster cluster = DevCluster.builder().start()) {
            measure("broker", cluster, () -> cluster.restartBroker(0));
        }
    }

    @Test
    void aRestartedProxyIsReadAtOnce() throws Exception {
        try (DevCluster cluster = DevCluster.builder().start()) {
            measure("proxy", cluster, cluster::restartProxy);
        }
    }

    /** Every restart with a backlog is followed by one without. */
    private static void measure(String what, DevCluster cluster, Runnable restart)
            throws Exception {
        List<Duration> alone = new ArrayList<>();
        List<Duration> beside = new ArrayList<>();
        List<Duration> backlog = new ArrayList<>();
        for (int i = 0; i < RESTARTS; i++) {
            try (LiteTopicFixture fixture = LiteTopicFixture.create(cluster);
                    SourceJob job = SourceJob.on(fixture).start()) {
                RestartProbe probe = new RestartProbe(fixture, job);
                probe.warmUp();
                restart.run();
                alone.add(probe.newMessage());

                probe.pileUp();
                restart.run();
                backlog.add(probe.drain());
                beside.add(probe.newMessage());
                assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
            }
        }
        print(what + " restart, new message without backlog", alone);
        print(what + " restart, backlog of 500", backlog);
        print(what + " restart, new message after the backlog", beside);
        assertThat(Collections.max(alone)).isLessThan(Duration.ofSeconds(3));
        assertThat(Collections.max(backlog)).isLessThan(Duration.ofSeconds(20));
        assertThat(Collections.max(beside)).isLessThan(Duration.ofSeconds(3));
    }

    private static void print(String what, List<Duration> taken) {
        StringBuilder text = new StringBuilder(what + " (ms):");
        taken.forEach(each -> text.append(' ').append(each.toMillis()));
        System.out.println(text);
    }
}
