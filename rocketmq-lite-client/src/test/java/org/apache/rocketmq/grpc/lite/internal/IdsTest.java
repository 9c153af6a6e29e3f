/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Ids of clients, messages. */
class IdsTest {

    @Test
    void noTwoClientsShareAnId() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            ids.add(ClientIds.next("consumer"));
        }
        assertThat(ids)
                .hasSize(1000)
                .allMatch(id -> id.matches("[A-Za-z0-9._-]+@\\d+@consumer@.+"));
    }

    @Test
    void noTwoMessagesShareAnIdAndTheLayoutIsTheUsualOne() {
        long now = 1_800_000_000_000L;
        MessageIds one = new MessageIds(now);
        MessageIds other = new MessageIds(now);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            ids.add(one.next());
            ids.add(other.next());
        }
        assertThat(ids).hasSize(2000).allMatch(id -> id.matches("01[0-9A-F]{32}"));
        assertThat(new MessageIds(now).next()).endsWith("0B5B6C0000000000");
    }
}
