/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One message every 40 s for 10 minutes, side by side at one idle broker, at two idle ones, at an
 * idle one beside one with a message every second, and at an idle one beside one that is never calm
 * for long. Prints the delays; the figures of {@code docs/failures.md} are from here.
 */
@Timeout(1200)
class IdleTrafficSoakCase {

    private static final int MESSAGES = 15;
    private static final Duration BETWEEN = Duration.ofSeconds(40);
    private static final Duration ARRIVAL = Duration.ofSeconds(60);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(4)
                            .build());

    @Test
    void oneMessageEveryFortySecondsArrivesWithinASecond() throws Exception {
        try (DevCluster pair = DevCluster.builder().brokers(2).start();
                Probe lone = new Probe("one broker", DevCluster.shared());
                Probe idle = new Probe("two brokers, both idle", pair);
                Probe second = new Probe("idle beside one message a second", pair);
                Probe busy = new Probe("idle beside ten messages a second", pair)) {
            List<Probe> probes = List.of(lone, idle, second, busy);
            for (int i = 0; i < MESSAGES; i++) {
                long next = System.nanoTime() + BETWEEN.toNanos();
                for (int tick = 0; System.nanoTime() < next; tick++) {
                    busy.noise(tick);
                    if (tick % 10 == 0) {
                        second.noise(tick);
                    }
                    TimeUnit.MILLISECONDS.sleep(100);
                }
                for (Probe probe : probes) {
                    probe.send(i);
                }
                await().atMost(ARRIVAL).until(() -> probes.stream().allMatch(Probe::hasAll));
            }
            probes.forEach(probe -> System.out.println(probe.report()));

            assertThat(lone.worst()).isLessThan(Duration.ofSeconds(1));
            assertThat(idle.worst()).isLessThan(Duration.ofSeconds(1));
            assertThat(second.worst()).isLessThan(Duration.ofSeconds(1));
        }
    }

    /** One topic with one lone reader, and what was sent to it now and then. */
    private static final class Probe implements AutoCloseable {
        private final String name;
        private final LiteTopicFixture fixture;
        private final SourceJob job;
        private final List<String> rare = new ArrayList<>();
        private final String noisy;
        private final Map<String, Long> sent = new TreeMap<>();

        private Probe(String name, DevCluster cluster) throws Exception {
            this.name = name;
            this.fixture = LiteTopicFixture.create(cluster);
            this.job = SourceJob.on(fixture).start();
            fixture.sendRounds(24, 1);
            await().atMost(ARRIVAL).until(() -> job.values().size() == 24);
            Map<String, List<String>> byBroker =
                    job.notes().stream()
                            .collect(
                                    Collectors.groupingBy(
                                            n -> n.broker,
                                            TreeMap::new,
                                            Collectors.mapping(
                                                    n -> n.liteTopic, Collectors.toList())));
            assertThat(byBroker).hasSize(cluster.brokerNames().size());
            for (List<String> liteTopics : byBroker.values()) {
                rare.add(liteTopics.get(0));
            }
            noisy = rare.get(rare.size() - 1);
        }

        private void noise(int tick) throws Exception {
            fixture.send(noisy, "noise-" + tick);
        }

        /** One message in turn at each broker, or always at the first if the last is noisy. */
        private void send(int i) throws Exception {
            String liteTopic = name.startsWith("idle") ? rare.get(0) : rare.get(i % rare.size());
            sent.put("rare-" + i, System.nanoTime());
            fixture.send(liteTopic, "rare-" + i);
        }

        private boolean hasAll() {
            return job.values().containsAll(sent.keySet());
        }

        private Map<String, Duration> delays() {
            Map<String, Duration> delays = new TreeMap<>();
            for (SourceJob.Note note : job.notes()) {
                Long begun = sent.get(note.value);
                if (begun != null) {
                    delays.putIfAbsent(note.value, Duration.ofNanos(note.nanoTime - begun));
                }
            }
            return delays;
        }

        private Duration worst() {
            return delays().values().stream().max(Duration::compareTo).orElseThrow();
        }

        private String report() {
            List<Long> millis =
                    delays().values().stream().map(Duration::toMillis).collect(Collectors.toList());
            return name + ": worst " + worst().toMillis() + " ms, all (ms) " + millis;
        }

        @Override
        public void close() throws Exception {
            job.close();
            fixture.close();
        }
    }
}
