/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.faults;

import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.TOPIC;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.createTopicAndGroup;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.message;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedAcknowledger;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedConsumer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.SyncLiteSubscriptionRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.RecordedCall;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client does by the clock. Its periods are real ones, so one test looks at all of them. */
class PeriodicWorkTest {

    @Test
    @Timeout(120)
    void idleClientBeatsRefreshesItsSubscriptionAndFindsANewBroker() throws Exception {
        // beside case 31
        try (FakeProxy proxy = FakeProxy.start()) {
            createTopicAndGroup(proxy);
            Set<String> told = ConcurrentHashMap.newKeySet();
            try (LiteSimpleConsumer consumer = startedConsumer(proxy);
                    LiteAcknowledger acknowledger = startedAcknowledger(proxy)) {
                consumer.onBrokersChanged(told::addAll);
                CompletableFuture<List<LiteMessage>> poll = ClientAtFake.parked(proxy, consumer);
                keepPolling(consumer, poll);
                proxy.addBroker("broker-b");
                proxy.sendTo("broker-b", TOPIC, message("y", "new"));

                await().atMost(28, TimeUnit.SECONDS)
                        .until(() -> actions(proxy).contains("COMPLETE_REMOVE"));
                await().atMost(5, TimeUnit.SECONDS).until(() -> refreshed(proxy));

                await().atMost(40, TimeUnit.SECONDS).until(() -> told.contains("broker-b"));
                assertThat(consumer.brokers()).containsExactlyInAnyOrder("broker-a", "broker-b");
                List<LiteMessage> messages =
                        consumer.receive("broker-b", 32).get(10, TimeUnit.SECONDS);
                assertThat(messages).hasSize(1);

                Set<String> beating =
                        proxy.recorded(Rpc.HEARTBEAT).stream()
                                .map(RecordedCall::clientId)
                                .collect(Collectors.toSet());
                assertThat(beating).containsExactlyInAnyOrderElementsOf(proxy.clientIds());
                assertThat(proxy.count(Rpc.HEARTBEAT)).isBetween(4L, 12L);
                assertThat(proxy.recorded(Rpc.SYNC_LITE_SUBSCRIPTION))
                        .extracting(RecordedCall::clientId)
                        .containsOnly(proxy.subscribers().iterator().next());
            }
        }
    }

    /** The next poll begins when the one before has ended, as a receive worker does. */
    private static void keepPolling(
            LiteSimpleConsumer consumer, CompletableFuture<List<LiteMessage>> poll) {
        poll.thenAccept(
                messages -> keepPolling(consumer, consumer.receive(FakeProxy.BROKER_A, 32)));
    }

    private static boolean refreshed(FakeProxy proxy) {
        List<String> actions = actions(proxy);
        int removed = actions.indexOf("COMPLETE_REMOVE");
        return removed + 1 < actions.size() && actions.get(removed + 1).equals("COMPLETE_ADD");
    }

    private static List<String> actions(FakeProxy proxy) {
        return proxy.recorded(Rpc.SYNC_LITE_SUBSCRIPTION).stream()
                .map(call -> call.request(SyncLiteSubscriptionRequest.class).getAction())
                .map(LiteSubscriptionAction::name)
                .collect(Collectors.toList());
    }
}
