/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.devcluster.wire.Verbs;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A port that is taken between its choice and its use is recognised, so that others are tried. */
@Timeout(120)
class PortCollisionITCase {

    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 0", "2, -2", "2, 1"})
    void aTakenPortIsToldFromOtherFailures(int index, int offset) throws Exception {
        List<Integer> ports = Ports.choose(1, 0);
        ServerSettings settings =
                new ServerSettings(directory, "defaultRocksDB", ports, false, Map.of(), Map.of());
        ServerProcess process = ServerProcess.launch(directory, "256m");
        try (ServerSocket taken =
                new ServerSocket(ports.get(index) + offset, 1, InetAddress.getByName("0.0.0.0"))) {
            DevClusterException failure =
                    catchThrowableOfType(
                            DevClusterException.class,
                            () -> process.call(100, Verbs.START, settings.toArguments()));

            assertThat(failure).hasMessageStartingWith("start: ");
            assertThat(failure.isPortTaken()).as(failure.getMessage()).isTrue();
            assertThat(taken.isBound()).isTrue();
        } finally {
            process.destroy();
        }
    }
}
