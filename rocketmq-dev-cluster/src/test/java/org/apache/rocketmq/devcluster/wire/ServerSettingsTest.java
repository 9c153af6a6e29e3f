/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSettingsTest {

    @Test
    void everySettingReachesTheOtherSide() {
        ServerSettings sent =
                new ServerSettings(
                        Path.of("/data", "a b"),
                        "default",
                        Arrays.asList(11, 12, 13, 14),
                        true,
                        Map.of("maxClientEventCount", "7", "x", ""),
                        Map.of("grpcServerPort", "1"));

        ServerSettings read = ServerSettings.fromArguments(sent.toArguments());

        assertThat(read).usingRecursiveComparison().isEqualTo(sent);
        assertThat(read.namesrvAddr()).isEqualTo("127.0.0.1:11");
        assertThat(read.endpoints()).isEqualTo("127.0.0.1:12");
        assertThat(read.brokerCount()).isEqualTo(2);
        assertThat(read.brokerPort(1)).isEqualTo(14);
    }

    @Test
    void keptDataAreNotDeletedByTheChild() {
        ServerSettings sent =
                new ServerSettings(
                        Path.of("/data"),
                        "defaultRocksDB",
                        Arrays.asList(1, 2, 3),
                        false,
                        Map.of(),
                        Map.of());

        assertThat(ServerSettings.fromArguments(sent.toArguments()).deleteDataWithParent())
                .isFalse();
    }
}
