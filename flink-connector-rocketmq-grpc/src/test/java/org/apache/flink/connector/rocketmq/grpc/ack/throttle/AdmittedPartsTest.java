/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.LEASE_MILLIS;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.handle;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.junit.jupiter.api.Test;

/** Messages of which some records went on. */
class AdmittedPartsTest {

    private final Counter evicted = new SimpleCounter();
    private final AdmittedParts parts = new AdmittedParts(2, evicted);

    @Test
    void aMessageOfOneRecordLeavesNoTrace() {
        parts.admitted(handle("a", 1, 0, 0), START);

        assertThat(parts.contains(handle("a", 1, 0, 0), START)).isFalse();
        assertThat(parts.size()).isZero();
    }

    @Test
    void isKnownFromTheFirstToTheLastRecord() {
        assertThat(parts.contains(part(0, 0), START)).isFalse();
        parts.admitted(part(0, 0), START);
        assertThat(parts.contains(part(0, 1), START)).isTrue();
        assertThat(parts.contains(part(1, 1), START)).isFalse();
        parts.admitted(part(0, 1), START);
        assertThat(parts.contains(part(0, 2), START)).isTrue();
        parts.admitted(part(0, 2), START);
        assertThat(parts.size()).isZero();
    }

    @Test
    void endsWithTheLease() {
        parts.admitted(part(0, 0), START - LEASE_MILLIS);

        assertThat(parts.contains(part(0, 1), START + LEASE_MILLIS - 1)).isTrue();
        assertThat(parts.contains(part(0, 1), START + LEASE_MILLIS)).isFalse();
    }

    @Test
    void beyondTheBoundTheOldestIsForgottenAndCounted() {
        for (int index = 0; index < 3; index++) {
            parts.admitted(part(index, 0), START);
        }

        assertThat(evicted.getCount()).isOne();
        assertThat(parts.contains(part(0, 1), START)).isFalse();
        assertThat(parts.contains(part(2, 1), START)).isTrue();
    }

    private static RocketMQReceiptHandle part(int index, int part) {
        return handle("a", 1, index, index).toBuilder().part(part, 3).build();
    }
}
