/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.MessageThrottlePolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DemoPolicyTest {

    private static final DemoMessage MESSAGE = new DemoMessage(0, 0, true, false);
    private static final Optional<Duration> REFUSED = Optional.of(Duration.ofSeconds(1));

    private final DemoProbe probe = DemoProbe.open("policy-test", System::nanoTime);
    private final MessageThrottlePolicy<DemoMessage> refuseAll = message -> REFUSED;
    private final DemoPolicy policy = new DemoPolicy(probe.name(), refuseAll);

    @AfterEach
    void close() {
        probe.close();
    }

    @Test
    void otherPolicyDecidesUnderLoad() throws Exception {
        policy.open(null);

        assertThat(policy.onMessage(MESSAGE)).isEqualTo(REFUSED);
        assertThat(policy.onMessage(MESSAGE, null)).isEqualTo(REFUSED);
    }

    @Test
    void everythingGoesOnWhileDraining() throws Exception {
        policy.open(null);

        probe.drain();

        assertThat(policy.onMessage(MESSAGE)).isEmpty();
        assertThat(policy.onMessage(MESSAGE, null)).isEmpty();
    }

    @Test
    void withoutThrottlingEverythingGoesOn() {
        assertThat(new AdmitEverything().onMessage(MESSAGE)).isEmpty();
    }
}
