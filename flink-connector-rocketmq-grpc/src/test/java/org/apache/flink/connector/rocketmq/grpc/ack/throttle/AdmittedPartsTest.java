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
        parts.goesOn(handle("a", 1, 0, 0), ThrottleDecision.ADMIT, START);

        assertThat(parts.decided(handle("a", 1, 0, 0), START)).isNull();
        assertThat(parts.size()).isZero();
    }

    @Test
    void isKnownFromTheFirstToTheLastRecord() {
        assertThat(parts.decided(part(0, 0), START)).isNull();
        parts.goesOn(part(0, 0), ThrottleDecision.ADMIT, START);
        assertThat(parts.decided(part(0, 1), START)).isSameAs(ThrottleDecision.ADMIT);
        assertThat(parts.decided(part(1, 1), START)).isNull();
        parts.goesOn(part(0, 1), ThrottleDecision.ADMIT, START);
        assertThat(parts.decided(part(0, 2), START)).isSameAs(ThrottleDecision.ADMIT);
        parts.goesOn(part(0, 2), ThrottleDecision.ADMIT, START);
        assertThat(parts.size()).isZero();
    }

    @Test
    void theOthersGoTheWayOfTheFirst() {
        parts.goesOn(part(0, 0), ThrottleDecision.FORCE, START);

        assertThat(parts.decided(part(0, 1), START)).isSameAs(ThrottleDecision.FORCE);
    }

    @Test
    void endsWithTheLease() {
        parts.goesOn(part(0, 0), ThrottleDecision.ADMIT, START - LEASE_MILLIS);

        assertThat(parts.decided(part(0, 1), START + LEASE_MILLIS - 1))
                .isSameAs(ThrottleDecision.ADMIT);
        assertThat(parts.decided(part(0, 1), START + LEASE_MILLIS)).isNull();
    }

    @Test
    void beyondTheBoundTheOldestIsForgottenAndCounted() {
        for (int index = 0; index < 3; index++) {
            parts.goesOn(part(index, 0), ThrottleDecision.ADMIT, START);
        }

        assertThat(evicted.getCount()).isOne();
        assertThat(parts.decided(part(0, 1), START)).isNull();
        assertThat(parts.decided(part(2, 1), START)).isSameAs(ThrottleDecision.ADMIT);
    }

    private static RocketMQReceiptHandle part(int index, int part) {
        return handle("a", 1, index, index).toBuilder().part(part, 3).build();
    }
}
