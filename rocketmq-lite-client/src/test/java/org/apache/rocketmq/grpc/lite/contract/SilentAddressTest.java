/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several addresses of which the first takes connections and says nothing. */
@Timeout(60)
class SilentAddressTest {

    private static final Duration TIMEOUT_BEYOND_ANY_START = Duration.ofSeconds(20);

    @Test
    void theNextAddressIsReachedWithinTheTimeOfTheStartWhateverTheRequestTimeout()
            throws Exception {
        try (ForeignPort silent = ForeignPort.silent();
                FakeProxy proxy = FakeProxy.start()) {
            proxy.createLiteTopic("main");
            proxy.createLiteGroup("group", "main");
            LiteClientConfig config =
                    LiteClientConfig.builder()
                            .endpoints(
                                    Endpoints.parse(silent.endpoints() + ";" + proxy.endpoints()))
                            .requestTimeout(TIMEOUT_BEYOND_ANY_START)
                            .build();
            try (LiteSimpleConsumer consumer =
                    LiteSimpleConsumer.create(
                            config,
                            new LiteSubscription(
                                    "main",
                                    "group",
                                    Duration.ofSeconds(5),
                                    Duration.ofSeconds(10)))) {
                consumer.start().get(12, TimeUnit.SECONDS);
                assertThat(consumer.brokers()).containsExactly(FakeProxy.BROKER_A);
            }
        }
    }
}
