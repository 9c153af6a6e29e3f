/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.FixedRenewalPolicy;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Leases against a slow downstream, on the real server. All jobs run side by side from the
 * beginning, so that the build waits for their invisible durations once.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class LeasesITCase {

    private static final Duration LONG = Duration.ofSeconds(240);
    private static final Duration INVISIBLE = Duration.ofSeconds(10);
    private static final String PLUG = "plug";

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(8)
                            .build());

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private LiteTopicFixture slow;
    private LiteTopicFixture renewed;
    private LiteTopicFixture downstream;
    private LiteTopicFixture interrupted;
    private PacedJob slowJob;
    private PacedJob renewedJob;
    private PacedJob downstreamJob;
    private PacedJob interruptedJob;
    private long blockedSince;

    /** Once; Flink's extension has no environment for jobs before a test begins. */
    @BeforeEach
    void everyJobRuns() throws Exception {
        if (!open.isEmpty()) {
            return;
        }
        slow = opened(LiteTopicFixture.create());
        renewed = opened(LiteTopicFixture.create());
        downstream = opened(LiteTopicFixture.create());
        interrupted = opened(LiteTopicFixture.create());
        slowJob = opened(PacedJob.on(slow));
        slowJob.source().setInvisibleDuration(INVISIBLE);
        slowJob.pace().every(500);
        renewedJob = opened(PacedJob.on(renewed));
        renewedJob.source().setInvisibleDuration(INVISIBLE);
        renewing(renewedJob);
        // a machine that is busy elsewhere may not renew for so long
        renewedJob.source().setRenewalAheadTime(Duration.ofSeconds(8));
        renewedJob.pace().block();
        downstreamJob = opened(PacedJob.on(downstream));
        downstreamJob.source().setInvisibleDuration(INVISIBLE);
        renewing(downstreamJob);
        downstreamJob.pace().every(2 * INVISIBLE.toMillis());
        interruptedJob = opened(PacedJob.on(interrupted));
        interruptedJob.source().setFetchConcurrency(4);
        interruptedJob.pace().block();
        slow.sendRounds(20, 2);
        downstream.send("a", "a");
        for (PacedJob job : new PacedJob[] {slowJob, renewedJob, downstreamJob, interruptedJob}) {
            job.start();
        }
        plug(renewed, renewedJob);
        blockedSince = System.nanoTime();
        renewed.sendRounds(10, 3);
        plug(interrupted, interruptedJob);
    }

    private <T extends AutoCloseable> T opened(T closeable) {
        open.push(closeable);
        return closeable;
    }

    private static void renewing(PacedJob job) {
        job.source().setRenewalPolicyClass(FixedRenewalPolicy.class.getName());
    }

    /** One message is with the downstream, which blocks; what comes later waits in the reader. */
    private static void plug(LiteTopicFixture fixture, PacedJob job) throws Exception {
        fixture.send(PLUG, PLUG);
        await().atMost(LONG).until(() -> job.values().contains(PLUG));
    }

    @AfterAll
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void deliveriesThatWereNotEmittedReachAnotherReaderOnceTheirReaderIsCancelled()
            throws Exception {
        interrupted.sendRounds(20, 3);
        try (PacedJob other = PacedJob.on(interrupted).start()) {
            // new messages, some of which reach it, prove that the other one is served
            AtomicInteger probes = new AtomicInteger();
            await().atMost(LONG)
                    .pollInterval(Duration.ofMillis(200))
                    .until(
                            () -> {
                                interrupted.send("probe-" + probes.incrementAndGet(), "probe");
                                return other.values().contains("probe");
                            });
            assertThat(other.gotOf(v -> v.startsWith("lt-"))).isEmpty();
            long cancelled = System.nanoTime();
            interruptedJob.cancel();
            await().atMost(LONG).until(() -> other.gotOf(v -> v.startsWith("lt-")).size() >= 60);
            Duration taken = Duration.ofNanos(System.nanoTime() - cancelled);
            System.out.println(
                    "released deliveries of a cancelled reader: all 20 lite topics with the other"
                            + " one after "
                            + taken.toMillis()
                            + " ms");

            // an invisible duration is 60 s
            assertThat(taken).isLessThan(Duration.ofSeconds(40));
            assertThat(interruptedJob.gotOf(v -> v.startsWith("lt-"))).isEmpty();
        }
    }

    @Test
    void aBacklogThatWaitsLongerThanItsInvisibleDurationIsNotRedeliveredWhenItIsRenewed()
            throws Exception {
        await().atMost(LONG)
                .until(
                        () ->
                                System.nanoTime() - blockedSince
                                        > 2 * INVISIBLE.toNanos() + 1_000_000_000);
        renewedJob.pace().open();
        await().atMost(LONG).until(() -> renewedJob.gotOf(v -> v.startsWith("lt-")).size() >= 30);
        await().atMost(LONG).until(() -> renewed.backlog() == 0);

        assertThat(renewedJob.gotOf(v -> v.startsWith("lt-")))
                .hasSize(30)
                .allSatisfy(got -> assertThat(got.attempt).isEqualTo(1));
    }

    @Test
    void withoutRenewalASlowDownstreamProcessesEverythingInTheEnd() {
        await().atMost(LONG).until(() -> slowJob.values().size() == 40);
        slowJob.pace().open();

        await().atMost(LONG).until(() -> slow.backlog() == 0);
    }

    @Test
    void renewalDoesNotProtectWhatIsAlreadyDownstream() {
        // case 10, the source half
        await().atMost(LONG).until(() -> downstreamJob.got().size() >= 2);

        assertThat(downstreamJob.got().stream().map(g -> g.attempt).collect(Collectors.toList()))
                .startsWith(1, 2);
        downstreamJob.pace().open();
        await().atMost(LONG).until(() -> downstream.backlog() == 0);
    }
}
