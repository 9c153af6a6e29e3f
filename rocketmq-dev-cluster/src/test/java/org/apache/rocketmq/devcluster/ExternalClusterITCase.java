/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.rocketmq.devcluster.server.LiteClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shared cluster, and the same cluster as somebody sees it who did not start it. */
@Timeout(120)
class ExternalClusterITCase {

    private static final String TOPIC = "ExternalTopic";
    private static final String GROUP = "GID-external";

    private final DevCluster shared = DevCluster.shared();

    @Test
    void thereIsOneSharedClusterAndNobodyClosesIt() {
        shared.close();

        assertThat(DevCluster.shared()).isSameAs(shared);
        shared.createLiteTopic("SharedTopic");
        shared.deleteTopic("SharedTopic");
    }

    @Test
    void topicsAndGroupsCanBeAdministratedFromOutside() throws Exception {
        Set<Long> children = Processes.children();
        try (DevCluster external = DevCluster.external(shared.endpoints(), shared.namesrvAddr())) {
            assertThat(external.endpoints()).isEqualTo(shared.endpoints());
            assertThat(external.brokerNames()).isEqualTo(shared.brokerNames());
            external.createLiteTopic(TOPIC);
            external.createLiteGroup(GROUP, TOPIC);
            try (LiteClient client = new LiteClient(external.endpoints(), TOPIC, GROUP)) {
                client.join();
                client.send("t", "x");
                assertThat(client.receive()).hasSize(1);
                client.leave();
            }
            external.updateGroupAttributes(GROUP, Map.of("retryMaxTimes", "3"), Set.of());
            external.deleteGroup(GROUP);
            external.deleteTopic(TOPIC);
            assertThatThrownBy(external::kill)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage(
                            "kill is not available on the external cluster " + shared.endpoints());
        }
        assertThat(Processes.children()).isEqualTo(children);
    }

    @Test
    void withoutItsNameServerAnExternalClusterCannotBeAdministrated() {
        try (DevCluster external = DevCluster.external("127.0.0.1:1", "")) {
            assertThat(external.endpoints()).isEqualTo("127.0.0.1:1");
            assertThatThrownBy(() -> external.createLiteTopic(TOPIC))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage(
                            "the external cluster 127.0.0.1:1 can be administrated only with"
                                    + " -Drocketmq.namesrv=host:port");
        }
    }

    @Test
    void attemptsThatFailLeaveNoDirectory() throws Exception {
        Set<Path> before = adminDirectories();
        Set<Path> attempts;
        try (DevCluster external = DevCluster.external("127.0.0.1:1", "127.0.0.1:1")) {
            assertThatThrownBy(external::brokerNames).isInstanceOf(DevClusterException.class);
            assertThatThrownBy(external::brokerNames).isInstanceOf(DevClusterException.class);
            attempts = adminDirectories();
            attempts.removeAll(before);
            assertThat(attempts).isNotEmpty();
        }
        // those of other processes end with them
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> attempts.stream().noneMatch(Files::exists));
    }

    private static Set<Path> adminDirectories() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(f -> f.getFileName().toString().startsWith("rocketmq-dev-admin-"))
                    .collect(Collectors.toCollection(HashSet::new));
        }
    }

    @Test
    void aNameServerThatIsNotThereIsOneClearError() {
        Set<Long> children = Processes.children();
        try (DevCluster external = DevCluster.external("127.0.0.1:1", "127.0.0.1:1")) {
            assertThatThrownBy(() -> external.createLiteTopic(TOPIC))
                    .isInstanceOf(DevClusterException.class)
                    .hasMessageContaining("attach: ")
                    .hasMessageContaining("127.0.0.1:1");
        }
        assertThat(Processes.children()).isEqualTo(children);
    }
}
