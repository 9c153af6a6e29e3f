/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.MessageThrottlePolicy;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.TokenBucketThrottlePolicy;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.devcluster.LiteOffsets;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteProducer;

/**
 * One phase from its topic to its result: job, load, measured window, drain. Runs in the caller's
 * thread; ends early when that is interrupted. Every phase has a topic and a group of its own, so
 * nothing of it reaches the next.
 */
final class PhaseRun {

    private static final Duration START_WAIT = Duration.ofSeconds(30);
    private static final Duration SHORTEST_DRAIN_WAIT = Duration.ofSeconds(30);
    private static final long DRAINED_PER_SECOND = 50;
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofMillis(100);

    private final DemoPlan plan;
    private final Phase phase;
    private final DevCluster cluster;
    private final DemoFlink flink;
    private final LiveTable table;
    private final String topic;
    private final String group;

    PhaseRun(DemoPlan plan, Phase phase, DevCluster cluster, DemoFlink flink, LiveTable table) {
        this.plan = plan;
        this.phase = phase;
        this.cluster = cluster;
        this.flink = flink;
        this.table = table;
        this.topic = "demo-" + phase.key();
        this.group = "GID-demo-" + phase.key();
    }

    /** Runs it. */
    PhaseResult run() throws Exception {
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        try (DemoProbe probe = DemoProbe.open(topic, System::nanoTime);
                LiteProducer producer = LiteProducer.create(clientConfig(), topic)) {
            producer.start().get(START_WAIT.toSeconds(), TimeUnit.SECONDS);
            JobID job =
                    flink.submit(
                            DemoJob.build(
                                    cluster.endpoints(),
                                    topic,
                                    group,
                                    probe.name(),
                                    new DemoPolicy(probe.name(), policy())));
            awaitSubscribed(job);
            PhaseResult result = runLoad(probe, producer, job);
            flink.cancel(job);
            return result;
        }
    }

    private LiteClientConfig clientConfig() {
        return LiteClientConfig.builder().endpoints(Endpoints.parse(cluster.endpoints())).build();
    }

    private MessageThrottlePolicy<DemoMessage> policy() {
        return phase == Phase.THROTTLED
                ? TokenBucketThrottlePolicy.of(DemoPlan.BUCKET_PER_SECOND, DemoPlan.BUCKET_BURST)
                : new AdmitEverything();
    }

    /** Messages sent from here on reach the job at once; earlier ones would after 5 to 15 s. */
    private void awaitSubscribed(JobID job) throws Exception {
        long deadline = System.nanoTime() + START_WAIT.toNanos();
        while (cluster.consumerClientIds(topic, group).size() < DemoPlan.PARALLELISM) {
            flink.checkRunning(job);
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(
                        "the job did not subscribe to "
                                + topic
                                + " within "
                                + START_WAIT.toSeconds()
                                + " s");
            }
            Thread.sleep(POLL.toMillis());
        }
    }

    private PhaseResult runLoad(DemoProbe probe, LiteProducer producer, JobID job)
            throws Exception {
        LoadSchedule schedule =
                new LoadSchedule(
                        plan.load(phase),
                        DemoPlan.HOT_PER_SECOND,
                        DemoPlan.COLD_PER_SECOND,
                        plan.tenants());
        try (LoadGenerator load = new LoadGenerator(producer, schedule)) {
            PhaseMeter meter = PhaseMeter.of(probe, load, job);
            Ticker ticker = new Ticker(meter, job);
            table.head();
            load.start();
            ticker.runUntil(plan.sending(phase).minus(plan.window(phase)));
            meter.openWindow();
            ticker.runUntil(plan.sending(phase));
            meter.closeWindow();
            awaitStored(load);
            probe.drain();
            table.say("  load over; draining: bucket open, work takes no time");
            return meter.result(awaitDrained(ticker, meter));
        }
    }

    private static void awaitStored(LoadGenerator load) throws Exception {
        try {
            load.done().get(START_WAIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the load failed: " + e.getCause(), e.getCause());
        }
    }

    /** Waits until the broker has every offset committed, or the time for that is over. */
    private long awaitDrained(Ticker ticker, PhaseMeter meter) throws Exception {
        Duration wait = Duration.ofSeconds(meter.counts().notWorked() / DRAINED_PER_SECOND);
        Duration end = ticker.elapsed().plus(SHORTEST_DRAIN_WAIT).plus(wait);
        long lost = Long.MAX_VALUE;
        while (lost > 0 && ticker.elapsed().compareTo(end) < 0) {
            ticker.runUntil(ticker.elapsed().plus(TICK));
            if (meter.counts().notWorked() == 0) {
                lost = lostByOffset(meter.counts().sent());
            }
        }
        return lost == Long.MAX_VALUE ? lostByOffset(meter.counts().sent()) : lost;
    }

    private long lostByOffset(long sent) {
        Map<String, LiteOffsets> offsets = cluster.liteOffsets(topic, group);
        long stored = offsets.values().stream().mapToLong(LiteOffsets::max).sum();
        long unsettled = offsets.values().stream().mapToLong(LiteOffsets::backlog).sum();
        return unsettled + Math.max(0, sent - stored);
    }

    /** Lets time pass in the caller's thread, writing a row each second. */
    private final class Ticker {
        private final PhaseMeter meter;
        private final JobID job;
        private final long startNanos = System.nanoTime();
        private Duration nextRow = TICK;

        Ticker(PhaseMeter meter, JobID job) {
            this.meter = meter;
            this.job = job;
        }

        /** Since the load began. */
        Duration elapsed() {
            return Duration.ofNanos(System.nanoTime() - startNanos);
        }

        /** Returns at that time after the start of the load; fails if the job did. */
        void runUntil(Duration end) throws Exception {
            while (elapsed().compareTo(end) < 0) {
                Duration next = nextRow.compareTo(end) < 0 ? nextRow : end;
                TimeUnit.NANOSECONDS.sleep(next.minus(elapsed()).toNanos());
                if (elapsed().compareTo(nextRow) >= 0) {
                    flink.checkRunning(job);
                    meter.tick(table, elapsed());
                    nextRow = nextRow.plus(TICK);
                }
            }
        }
    }
}
