/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

/** Entries end by time, the size by number. */
class ExpiringMapTest {

    private final Counter evicted = new SimpleCounter();
    private final ExpiringMap<String, Integer> map = new ExpiringMap<>(2, evicted);

    @Test
    void anEntryIsThereUntilItsEnd() {
        map.put("a", 1, 100, 0);

        assertThat(map.get("a", 99)).isOne();
        assertThat(map.get("a", 100)).isNull();
        assertThat(map.size()).isZero();
    }

    @Test
    void puttingAgainMakesAnEntryYoungAndDoesNotEvict() {
        map.put("a", 1, 100, 0);
        map.put("b", 2, 100, 0);
        map.put("a", 3, 100, 0);
        assertThat(evicted.getCount()).isZero();

        map.put("c", 4, 100, 0);

        assertThat(evicted.getCount()).isOne();
        assertThat(map.get("b", 0)).isNull();
        assertThat(map.get("a", 0)).isEqualTo(3);
    }

    @Test
    void visitsFromOldToYoungWhatHasNotEnded() {
        map.put("long", 1, 200, 0);
        map.put("short", 2, 100, 0);

        Map<String, Integer> seen = new LinkedHashMap<>();
        map.forEach(100, seen::put);

        assertThat(seen).containsExactly(Map.entry("long", 1));
    }

    @Test
    void theSizeNeverExceedsTheBound() {
        for (int i = 0; i < 1000; i++) {
            map.put("k" + i, i, 1_000_000, i);
            assertThat(map.size()).isLessThanOrEqualTo(2);
        }
        assertThat(evicted.getCount()).isEqualTo(998);
    }

    @Test
    void aBoundOfNothingIsRefused() {
        assertThatThrownBy(() -> new ExpiringMap<String, String>(0, evicted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxEntries: 0");
    }
}
