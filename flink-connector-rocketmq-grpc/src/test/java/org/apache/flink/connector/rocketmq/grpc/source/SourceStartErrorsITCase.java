/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.apache.rocketmq.devcluster.DevCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a first user gets wrong: one clear error within seconds, and nothing left behind. */
@Timeout(180)
class SourceStartErrorsITCase {

    /** About 10 s for the client, the rest for Flink on a busy machine. */
    private static final Duration LIMIT = Duration.ofSeconds(15);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    private final DevCluster cluster = DevCluster.shared();
    private final String topic = "Topic-" + UUID.randomUUID().toString().substring(0, 8);
    private final String group = "GID-" + UUID.randomUUID().toString().substring(0, 8);

    @Test
    void anUnknownTopic() throws Exception {
        assertFails(cluster.endpoints(), "TOPIC_NOT_FOUND", "mqadmin updateTopic");
    }

    @Test
    void aTopicOfAnotherType() throws Exception {
        cluster.createTopic(topic, Collections.singletonMap("message.type", "NORMAL"));
        cluster.createLiteGroup(group, topic);

        assertFails(cluster.endpoints(), "LITE", "mqadmin updateTopic");
    }

    @Test
    void anUnknownGroup() throws Exception {
        cluster.createLiteTopic(topic);

        assertFails(cluster.endpoints(), "mqadmin updateSubGroup", "lite.bind.topic=" + topic);
    }

    @Test
    void aGroupWithoutTheWildcardAttribute() throws Exception {
        // case 33
        cluster.createLiteTopic(topic);
        cluster.createGroup(group, Collections.singletonMap("lite.bind.topic", topic));

        assertFails(cluster.endpoints(), "mqadmin updateSubGroup", "lite.sub.wildcard=true");
    }

    @Test
    void aGroupBoundToAnotherTopic() throws Exception {
        cluster.createLiteTopic(topic);
        cluster.createLiteTopic(topic + "-other");
        cluster.createLiteGroup(group, topic + "-other");

        assertFails(cluster.endpoints(), "mqadmin updateSubGroup", "lite.bind.topic=" + topic);
    }

    @Test
    void aClosedPort() throws Exception {
        try (Socket bound = new Socket()) {
            bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

            assertFails("127.0.0.1:" + bound.getLocalPort(), "UNAVAILABLE");
        }
    }

    @Test
    void aPortThatSpeaksHttp() throws Exception {
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.start();
        try {
            assertFails(
                    "127.0.0.1:" + http.getAddress().getPort(),
                    "First received frame was not SETTINGS");
        } finally {
            http.stop(0);
        }
    }

    private void assertFails(String endpoints, String... parts) throws Exception {
        // beside case 32
        Set<String> before = OurThreads.alive();
        try (SourceJob job = SourceJob.with(endpoints, topic, group).start()) {
            long begun = System.nanoTime();
            assertThatThrownBy(() -> job.client().getJobExecutionResult().get(60, TimeUnit.SECONDS))
                    .satisfies(
                            failure ->
                                    assertThat(ExceptionUtils.stringifyException(failure))
                                            .contains("receiving failed, topic " + topic)
                                            .contains("group " + group)
                                            .contains("endpoints " + endpoints)
                                            .contains(parts));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LIMIT);
        }
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(before).containsAll(OurThreads.alive()));
    }
}
