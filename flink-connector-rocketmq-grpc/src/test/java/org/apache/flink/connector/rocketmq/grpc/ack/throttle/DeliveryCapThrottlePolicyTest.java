/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** So many messages of each delivery, then a pause. */
class DeliveryCapThrottlePolicyTest {

    @Test
    void admitsTheFirstMessagesOfADeliveryAndPauses() {
        DeliveryCapThrottlePolicy<String> policy =
                DeliveryCapThrottlePolicy.of(8, Duration.ofSeconds(3));

        assertThat(policy.onMessage("v", new FixedContext("a", 0, 0))).isEmpty();
        assertThat(policy.onMessage("v", new FixedContext("a", 7, 0))).isEmpty();
        assertThat(policy.onMessage("v", new FixedContext("a", 8, 0)))
                .contains(Duration.ofSeconds(3));
    }

    @Test
    void aCapOrPauseOfNothingIsRefused() {
        assertThatThrownBy(() -> DeliveryCapThrottlePolicy.of(0, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("messages per delivery: 0 (expected: at least 1)");
        assertThatThrownBy(() -> DeliveryCapThrottlePolicy.of(1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pause: PT0S (expected: more than 0)");
    }
}
