/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A source that ends by idleness, on the real server. */
@Timeout(300)
class BoundedReadingITCase {

    private static final int MESSAGES = 1000;
    private static final Duration END = Duration.ofSeconds(180);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(12)
                            .build());

    /** Three jobs at once: each takes the 20 s after the join, a lease and the idle time. */
    @Test
    void boundedJobsFinishWithEveryMessageOutAndCommittedOnManyLiteTopicsOnOneAndOnNone()
            throws Exception {
        // case 66
        try (LiteTopicFixture empty = LiteTopicFixture.create();
                LiteTopicFixture many = LiteTopicFixture.create();
                LiteTopicFixture one = LiteTopicFixture.create();
                SourceJob ofEmpty = bounded(empty);
                SourceJob ofMany = bounded(many);
                SourceJob ofOne = bounded(one)) {
            many.sendRounds(MESSAGES, 1);
            one.sendMany("only", MESSAGES);
            long begun = System.nanoTime();
            ofMany.start();
            ofOne.start();
            ofEmpty.start();

            awaitFinished("empty topic", ofEmpty, begun);
            awaitFinished("1,000 lite topics", ofMany, begun);
            awaitFinished("one lite topic", ofOne, begun);
            assertThat(ofEmpty.notes()).isEmpty();
            assertThat(ofMany.values()).hasSize(MESSAGES);
            assertThat(ofOne.values()).hasSize(MESSAGES);
            assertThat(many.stored()).isEqualTo(MESSAGES);
            assertThat(one.stored()).isEqualTo(MESSAGES);
            assertThat(many.backlog()).isZero();
            assertThat(one.backlog()).isZero();
        }
    }

    private static SourceJob bounded(LiteTopicFixture fixture) {
        SourceJob job = SourceJob.on(fixture).parallelism(4);
        job.source()
                .setInvisibleDuration(Duration.ofSeconds(10))
                .setBoundedByIdle(Duration.ofSeconds(3));
        return job;
    }

    private static void awaitFinished(String what, SourceJob job, long begun) {
        await().atMost(END)
                .pollInterval(Duration.ofMillis(200))
                .until(
                        () ->
                                job.client().getJobStatus().get(30, TimeUnit.SECONDS)
                                        == JobStatus.FINISHED);
        System.out.printf(
                "bounded by 3 s of idleness, %s: finished after %.1f s%n",
                what, (System.nanoTime() - begun) / 1e9);
    }
}
