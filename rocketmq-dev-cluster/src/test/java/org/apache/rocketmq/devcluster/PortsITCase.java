/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsITCase {

    @Test
    void chosenPortsAndTheirNeighboursAreFreeAndApart() throws Exception {
        List<Integer> chosen = Ports.choose(3, 0);

        assertThat(chosen).hasSize(5).allMatch(port -> port > 1_024 && port < 32_768);
        List<Integer> all = new ArrayList<>(chosen.subList(0, 2));
        for (int broker : chosen.subList(2, 5)) {
            all.add(broker);
            all.add(broker - 2);
            all.add(broker + 1);
        }
        assertThat(all).doesNotHaveDuplicates();
        for (int port : all) {
            try (ServerSocket socket = new ServerSocket(port)) {
                assertThat(socket.getLocalPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void aFixedPortIsKept() {
        int port = Ports.chooseOne();

        assertThat(Ports.choose(1, port).get(1)).isEqualTo(port);
    }

    @Test
    void aFixedPortThatIsTakenIsRefusedByName() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            int port = socket.getLocalPort();

            assertThatThrownBy(() -> Ports.choose(1, port))
                    .isInstanceOf(DevClusterException.class)
                    .hasMessage("proxyPort: " + port + " is taken");
        }
    }
}
