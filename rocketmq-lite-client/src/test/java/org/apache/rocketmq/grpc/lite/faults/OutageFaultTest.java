/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.faults;

import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.createTopicAndGroup;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.failureOf;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedConsumer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An outage ends for the client without a poll: it is told when to poll again. */
@Timeout(60)
class OutageFaultTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    private final List<Set<String>> told = new CopyOnWriteArrayList<>();
    private FakeProxy proxy;

    @BeforeEach
    void start() {
        proxy = FakeProxy.start();
        createTopicAndGroup(proxy);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void aBrokerThatIsBackIsSubscribedAndToldWithoutAPoll() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            consumer.onBrokersChanged(told::add);
            await().atMost(SOON).until(() -> told.size() == 1);
            proxy.stopBroker("broker-a");
            failureOf(consumer.receive("broker-a", 32));
            long syncs = proxy.count(Rpc.SYNC_LITE_SUBSCRIPTION);
            long routes = proxy.count(Rpc.QUERY_ROUTE);
            await().atMost(SOON)
                    .until(
                            () ->
                                    proxy.count(Rpc.QUERY_ROUTE) > routes
                                            || proxy.count(Rpc.SYNC_LITE_SUBSCRIPTION) > syncs);
            assertThat(told).hasSize(1);
            proxy.startBroker("broker-a");

            await().atMost(SOON).until(() -> told.size() == 2);
            assertThat(told).containsOnly(Set.of("broker-a"));
            assertThat(proxy.subscribers()).hasSize(1);
        }
    }

    @Test
    void aProxyThatIsBackIsToldWithoutAPoll() throws Exception {
        try (LiteSimpleConsumer consumer = startedConsumer(proxy)) {
            consumer.onBrokersChanged(told::add);
            await().atMost(SOON).until(() -> told.size() == 1);
            proxy.stopListening();
            proxy.startListening();

            await().atMost(SOON).until(() -> told.size() == 2);
            assertThat(proxy.subscribers()).hasSize(1);
        }
    }
}
