/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two brokers behind one topic, one subtask, one long poll per broker. */
@Timeout(240)
class TwoBrokersITCase {

    private static final int LITE_TOPICS = 24;
    private static final int MESSAGES = 300;
    private static final Duration ARRIVAL = Duration.ofSeconds(60);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void bothAreDrainedAndTrafficOnOneIsNotDelayedByTheIdleOther() throws Exception {
        // case 31
        try (DevCluster cluster = DevCluster.builder().brokers(2).start();
                LiteTopicFixture fixture = LiteTopicFixture.create(cluster);
                SourceJob job = SourceJob.on(fixture).start()) {
            fixture.sendRounds(LITE_TOPICS, 1);
            await().atMost(ARRIVAL).until(() -> job.values().size() == LITE_TOPICS);
            Map<String, List<String>> byBroker = liteTopicsByBroker(job);
            assertThat(byBroker).hasSize(2);

            List<String> ofOne = byBroker.values().iterator().next();
            Map<String, Long> sent = new TreeMap<>();
            for (int i = 0; i < MESSAGES; i++) {
                String value = "timed-" + i;
                sent.put(value, System.nanoTime());
                fixture.send(ofOne.get(i % ofOne.size()), value);
            }
            await().atMost(ARRIVAL).until(() -> job.values().size() == LITE_TOPICS + MESSAGES);

            assertThat(percentile99(job, sent)).isLessThan(Duration.ofMillis(500));
        }
    }

    private static Map<String, List<String>> liteTopicsByBroker(SourceJob job) {
        return job.notes().stream()
                .collect(
                        Collectors.groupingBy(
                                n -> n.broker,
                                TreeMap::new,
                                Collectors.mapping(n -> n.liteTopic, Collectors.toList())));
    }

    private static Duration percentile99(SourceJob job, Map<String, Long> sent) {
        List<Long> delays =
                job.notes().stream()
                        .filter(n -> sent.containsKey(n.value))
                        .map(n -> n.nanoTime - sent.get(n.value))
                        .sorted()
                        .collect(Collectors.toList());
        return Duration.ofNanos(delays.get((int) Math.ceil(0.99 * delays.size()) - 1));
    }
}
