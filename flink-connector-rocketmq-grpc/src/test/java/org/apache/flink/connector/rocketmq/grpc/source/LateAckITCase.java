/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.testing.LogCapture;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Acks just before and just after the end of the lease, at a server whose clock the test moves. */
@Timeout(180)
class LateAckITCase {

    private static final String TOPIC = "main";
    private static final String GROUP = "group";
    private static final Duration ARRIVAL = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(100);
    private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setConfiguration(METRICS.addToConfiguration(new Configuration()))
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void anAckAtNinetyNinePercentOfTheLeaseCountsAndOneAtAHundredAndOneIsStaleAndHarmless()
            throws Exception {
        // case 9
        ManualClock clock = new ManualClock();
        try (LogCapture log = LogCapture.begin();
                FakeProxy proxy = FakeProxy.builder().clock(clock).start()) {
            proxy.createLiteTopic(TOPIC);
            proxy.createLiteGroup(GROUP, TOPIC);
            try (SourceJob job = SourceJob.with(proxy.endpoints(), TOPIC, GROUP)) {
                job.source().setInvisibleDuration(LEASE);
                job.start();
                settled(proxy, "warm-up", 1);

                holdUp(proxy, job, "in time");
                clock.advance(LEASE.multipliedBy(99).dividedBy(100));
                job.gate().open();
                await().atMost(ARRIVAL).until(() -> committed(proxy) == 2);
                assertThat(staleWarnings(log)).isZero();
                clock.advance(LEASE.multipliedBy(10));

                holdUp(proxy, job, "too late");
                clock.advance(LEASE.multipliedBy(101).dividedBy(100));
                job.gate().open();
                await().atMost(ARRIVAL).until(() -> committed(proxy) == 3);

                assertThat(attempts(job, "in time")).containsExactly(1);
                assertThat(attempts(job, "too late")).containsExactly(1, 2);
                assertThat(staleWarnings(log)).isEqualTo(1);
                assertThat(counter(job, "acksStale")).isEqualTo(1);
                assertThat(counter(job, "acksSettled")).isEqualTo(3);
                assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.RUNNING);
                assertThat(job.opened()).hasSize(1);
            }
        }
    }

    /** Returns when the job has the message in hand, before its ack. */
    private static void holdUp(FakeProxy proxy, SourceJob job, String body) {
        job.gate().shut();
        send(proxy, body);
        await().atMost(ARRIVAL).until(() -> job.gate().waiting() == 1);
    }

    private static void settled(FakeProxy proxy, String body, long committed) {
        send(proxy, body);
        await().atMost(ARRIVAL).until(() -> committed(proxy) == committed);
    }

    private static void send(FakeProxy proxy, String body) {
        proxy.send(TOPIC, LiteOutgoingMessage.of("a", body.getBytes(StandardCharsets.UTF_8)));
    }

    private static long committed(FakeProxy proxy) {
        return proxy.committed(TOPIC, GROUP, "a");
    }

    private static List<Integer> attempts(SourceJob job, String value) {
        return job.notes().stream()
                .filter(note -> note.value.equals(value))
                .map(note -> note.attempt)
                .collect(Collectors.toList());
    }

    /** Warnings of an ack that came after its lease. */
    private static long staleWarnings(LogCapture log) {
        return log.lines().stream()
                .filter(line -> line.contains("ack of AckEntry{main/a,"))
                .filter(line -> line.contains("its invisible duration had ended"))
                .count();
    }

    private static long counter(SourceJob job, String name) {
        return METRICS.findMetrics(job.client().getJobID(), ".*" + name).values().stream()
                .mapToLong(metric -> ((Counter) metric).getCount())
                .sum();
    }
}
