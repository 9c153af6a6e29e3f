/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster with access control: it starts, which takes signed requests, and keeps its users. */
@Timeout(300)
class AccessControlITCase {

    @Test
    void usersAndPermissionsAreGivenTakenAndKeptOverABrokerRestart() {
        try (DevCluster cluster =
                DevCluster.builder().accessControl(true).fastLiteEvents(true).start()) {
            cluster.createTopic("orders", Map.of("message.type", "LITE"));
            assertThat(cluster.users().adminAccessKey()).isNotEmpty();
            assertThat(cluster.users().adminSecretKey()).hasSizeGreaterThan(30);

            cluster.users().put("alice", "alice-secret-1");
            cluster.users().grant("alice", "Topic:orders", "Pub", "Sub");
            cluster.users().grant("alice", "Group:GID-orders", "Sub");
            cluster.users().put("alice", "alice-secret-2");
            cluster.users().grant("alice", "Topic:orders", "Sub");
            cluster.restartBroker(0);
            cluster.users().put("alice", "alice-secret-3");
            cluster.users().grant("alice", "Topic:orders");
            cluster.users().delete("alice");
        }
    }

    @Test
    void aClusterWithoutAccessControlRefusesUsers() {
        assertThatThrownBy(() -> DevCluster.shared().users())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the dev cluster has no access control");
        assertThat(DevCluster.shared().hasAccessControl()).isFalse();
    }
}
