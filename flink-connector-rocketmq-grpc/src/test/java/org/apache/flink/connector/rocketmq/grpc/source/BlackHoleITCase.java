/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.TcpRelay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Half-open connections: bytes vanish, nobody says a word. Both jobs suffer at the same time. */
@Timeout(300)
class BlackHoleITCase {

    private static final Duration ARRIVAL = Duration.ofSeconds(60);
    private static final Duration DARK = Duration.ofSeconds(20);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    @Test
    void dataFlowsWithinAMinuteAfterHealingAndWithoutHealingThroughAnotherAddress()
            throws Exception {
        // beside case 25
        try (LiteTopicFixture lone = LiteTopicFixture.create();
                LiteTopicFixture other = LiteTopicFixture.create();
                TcpRelay healed = TcpRelay.to(lone.endpoints());
                TcpRelay lost = TcpRelay.to(other.endpoints());
                SourceJob onlyRelay =
                        SourceJob.with(healed.endpoints(), lone.topic(), lone.group());
                SourceJob relayOrDirect =
                        SourceJob.with(
                                lost.endpoints() + ";" + other.endpoints(),
                                other.topic(),
                                other.group())) {
            start(onlyRelay);
            start(relayOrDirect);
            lone.send("a", "before");
            other.send("a", "before");
            await().atMost(ARRIVAL).until(() -> onlyRelay.count("before") > 0);
            await().atMost(ARRIVAL).until(() -> relayOrDirect.count("before") > 0);

            healed.reset();
            lone.send("a", "after the reset");
            await().atMost(ARRIVAL).until(() -> onlyRelay.count("after the reset") > 0);

            lost.blackHole();
            healed.blackHole();
            long dark = System.nanoTime();
            lone.send("a", "in the dark");
            other.send("a", "in the dark");
            await().pollDelay(DARK)
                    .atMost(DARK.plus(ARRIVAL))
                    .until(() -> onlyRelay.count("in the dark") == 0);
            healed.heal();
            await().atMost(ARRIVAL).until(() -> onlyRelay.count("in the dark") > 0);
            await().atMost(ARRIVAL).until(() -> relayOrDirect.count("in the dark") > 0);
            System.out.println(
                    "dark for 20 s, then healed: data after "
                            + arrival(onlyRelay, dark)
                            + "; dark for good, another address: "
                            + arrival(relayOrDirect, dark));

            // no connection is given up sooner, so it really was the one in the dark
            assertThat(arrival(relayOrDirect, dark)).isGreaterThan(Duration.ofSeconds(5));
            assertThat(onlyRelay.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
            assertThat(relayOrDirect.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
        }
    }

    /** An answer that is lost on a broken connection costs its messages one lease. */
    private static void start(SourceJob job) throws Exception {
        job.source().setInvisibleDuration(Duration.ofSeconds(10));
        job.start();
    }

    private static Duration arrival(SourceJob job, long since) {
        return job.notes().stream()
                .filter(note -> note.value.equals("in the dark"))
                .map(note -> Duration.ofNanos(note.nanoTime - since))
                .findFirst()
                .orElseThrow(AssertionError::new);
    }
}
