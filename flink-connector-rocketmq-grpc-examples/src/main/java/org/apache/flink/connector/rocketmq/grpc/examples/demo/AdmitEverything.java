/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.Optional;
import org.apache.flink.connector.rocketmq.grpc.ack.throttle.MessageThrottlePolicy;

/** No throttling. */
final class AdmitEverything implements MessageThrottlePolicy<DemoMessage> {

    private static final long serialVersionUID = 1L;

    @Override
    public Optional<Duration> onMessage(DemoMessage message) {
        return Optional.empty();
    }
}
