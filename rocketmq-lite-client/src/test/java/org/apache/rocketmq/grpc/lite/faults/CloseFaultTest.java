/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.faults;

import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.GROUP;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.TOPIC;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.consumer;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.createTopicAndGroup;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.failureOf;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.parked;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.receive;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.send;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedAcknowledger;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedConsumer;
import static org.apache.rocketmq.grpc.lite.faults.ClientAtFake.startedProducer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.LiteSubscriptionAction;
import apache.rocketmq.v2.SyncLiteSubscriptionRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ManualClock;
import org.apache.rocketmq.grpc.lite.fixtures.RecordedCall;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.apache.rocketmq.grpc.lite.fixtures.ScriptRule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Close is bounded, polite, and leaves nothing behind, whatever the server or the caller does. */
@Timeout(60)
class CloseFaultTest {

    /** The promise is 2 s; the rest is for a loaded machine. */
    private static final Duration BOUND = Duration.ofSeconds(4);

    private FakeProxy proxy;

    @BeforeEach
    void start() {
        proxy = FakeProxy.builder().clock(new ManualClock()).start();
        createTopicAndGroup(proxy);
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    @Test
    void idleConsumerWithAPollUnderWayLeavesPolitelyInTime() throws Exception {
        // beside case 27
        Set<Thread> before = clientThreads();
        LiteSimpleConsumer consumer = startedConsumer(proxy);
        CompletableFuture<List<LiteMessage>> poll = parked(proxy, consumer);
        long begin = System.nanoTime();
        consumer.close();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BOUND);
        assertThat(poll).isDone();
        assertThat(proxy.clientIds()).isEmpty();
        assertThat(proxy.subscribers()).isEmpty();
        assertThat(lastSync()).isEqualTo(LiteSubscriptionAction.COMPLETE_REMOVE);
        assertThat(proxy.count(Rpc.NOTIFY_CLIENT_TERMINATION)).isEqualTo(1);
        await().until(() -> proxy.pendingPolls() == 0 && proxy.openConnections() == 0);
        assertNoNewThreads(before);
    }

    @Test
    void pollThatWaitedForTheSessionDoesNotUndoAWithdrawalThatWasAskedForAfterIt()
            throws Exception {
        ScriptRule route = proxy.script(Rpc.QUERY_ROUTE).times(1).hold();
        try (LiteSimpleConsumer consumer = consumer(proxy.endpoints())) {
            CompletableFuture<Void> started = consumer.start();
            await().until(() -> route.held() == 1);
            CompletableFuture<List<LiteMessage>> late = consumer.receive(FakeProxy.BROKER_A, 32);
            CompletableFuture<Void> withdrawn = consumer.withdraw();
            await().until(withdrawn::isDone);
            route.release();
            started.get(30, TimeUnit.SECONDS);
            await().until(() -> proxy.pendingPolls() == 1);

            assertThat(late).isNotDone();
            await().until(() -> proxy.subscribers().isEmpty());
            await().during(Duration.ofMillis(300)).until(() -> proxy.subscribers().isEmpty());
            parked(proxy, consumer);
            await().until(() -> !proxy.subscribers().isEmpty());
        }
    }

    @Test
    void serverThatNeverAnswersDoesNotHoldTheClose() throws Exception {
        // beside case 27
        Set<Thread> before = clientThreads();
        LiteSimpleConsumer consumer = startedConsumer(proxy);
        LiteAcknowledger acknowledger = startedAcknowledger(proxy);
        LiteProducer producer = startedProducer(proxy);
        parked(proxy, consumer);
        for (Rpc rpc : Rpc.values()) {
            proxy.script(rpc).never();
        }
        for (AutoCloseable client : List.of(consumer, acknowledger, producer)) {
            long begin = System.nanoTime();
            client.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(BOUND);
        }
        assertNoNewThreads(before);
    }

    @Test
    void whatArrivesDuringTheCloseIsReleased() throws Exception {
        LiteSimpleConsumer leaving = startedConsumer(proxy);
        CompletableFuture<List<LiteMessage>> poll = parked(proxy, leaving);
        ScriptRule withdrawal = proxy.script(Rpc.SYNC_LITE_SUBSCRIPTION).times(1).hold();
        Thread closer = new Thread(leaving::close);
        closer.start();
        await().until(() -> withdrawal.held() == 1);
        send(proxy, "x", "late");
        withdrawal.release();
        closer.join();
        assertThat(poll).isCompletedExceptionally();
        try (LiteSimpleConsumer other = startedConsumer(proxy)) {
            assertThat(receive(other)).hasSize(1);
        }
    }

    @Test
    void anotherConsumerOfTheGroupGetsWhatComesAfterwards() throws Exception {
        LiteSimpleConsumer leaving = startedConsumer(proxy);
        try (LiteSimpleConsumer staying = startedConsumer(proxy)) {
            parked(proxy, leaving);
            leaving.close();
            for (int i = 0; i < 10; i++) {
                send(proxy, "x" + i, "1");
            }
            int got = 0;
            while (got < 10) {
                got += receive(staying).size();
            }
            assertThat(got).isEqualTo(10);
        }
    }

    @Test
    void interruptDuringCloseLeavesNothingBehindAndKeepsTheFlag() throws Exception {
        // beside case 29
        Set<Thread> before = clientThreads();
        LiteSimpleConsumer consumer = startedConsumer(proxy);
        parked(proxy, consumer);
        ScriptRule withdrawal = proxy.script(Rpc.SYNC_LITE_SUBSCRIPTION).hold();
        boolean[] flag = new boolean[1];
        Thread closer =
                new Thread(
                        () -> {
                            consumer.close();
                            flag[0] = Thread.currentThread().isInterrupted();
                            consumer.close();
                        });
        closer.start();
        await().until(() -> withdrawal.held() == 1);
        closer.interrupt();
        closer.join(BOUND.toMillis() * 2);
        assertThat(closer.isAlive()).isFalse();
        assertThat(flag[0]).isTrue();
        assertNoNewThreads(before);
    }

    @Test
    void fiftyFailedStartsLeaveNoThreadAndNoConnection() throws Exception {
        // beside case 32
        proxy.createGroup("regular", java.util.Map.of());
        Set<Thread> before = clientThreads();
        for (int i = 0; i < 50; i++) {
            LiteAcknowledger acknowledger =
                    LiteAcknowledger.create(
                            ClientAtFake.config(proxy.endpoints()), "regular", TOPIC);
            assertThat(failureOf(acknowledger.start()).kind()).isEqualTo(ErrorKind.FATAL);
            if (i % 2 == 0) {
                acknowledger.close();
            }
        }
        assertNoNewThreads(before);
        await().until(() -> proxy.openConnections() == 0);
    }

    @Test
    void manyGoodStartsLeaveNoThreadAndNoSession() throws Exception {
        Set<Thread> before = clientThreads();
        for (int i = 0; i < 20; i++) {
            startedConsumer(proxy).close();
        }
        assertNoNewThreads(before);
        assertThat(proxy.clientIds()).isEmpty();
        Set<String> ids =
                proxy.recorded(Rpc.TELEMETRY).stream()
                        .map(RecordedCall::clientId)
                        .collect(Collectors.toSet());
        assertThat(ids).hasSize(20);
    }

    @Test
    void closeBeforeStartTwiceAndCallsAfterwardsAreFine() throws Exception {
        LiteSimpleConsumer consumer = consumer(proxy.endpoints());
        consumer.close();
        consumer.close();
        assertThat(failureOf(consumer.start()).code()).isNotEmpty();
        failureOf(consumer.receive("broker-a", 1));
        assertThat(proxy.count(Rpc.QUERY_ROUTE)).isZero();
    }

    @Test
    void ackUnderWayAtCloseFailsOrIsDoneButNeverHangs() throws Exception {
        LiteSimpleConsumer consumer = startedConsumer(proxy);
        LiteAcknowledger acknowledger = startedAcknowledger(proxy);
        send(proxy, "x", "1");
        LiteMessage message = receive(consumer).get(0);
        proxy.script(Rpc.ACK).never();
        CompletableFuture<?> ack = acknowledger.ack(List.of(ClientAtFake.entry(message)));
        await().until(() -> proxy.count(Rpc.ACK) == 1);
        acknowledger.close();
        assertThat(failureOf(ack).code()).isNotEmpty();
        assertThat(proxy.committed(TOPIC, GROUP, "x")).isZero();
        consumer.close();
    }

    private LiteSubscriptionAction lastSync() {
        List<RecordedCall> syncs = proxy.recorded(Rpc.SYNC_LITE_SUBSCRIPTION);
        return syncs.get(syncs.size() - 1).request(SyncLiteSubscriptionRequest.class).getAction();
    }

    private static Set<Thread> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(CloseFaultTest::isOfClients)
                .collect(Collectors.toSet());
    }

    private static boolean isOfClients(Thread thread) {
        String name = thread.getName();
        return name.startsWith("rocketmq-") || name.startsWith("grpc-");
    }

    private static void assertNoNewThreads(Set<Thread> before) {
        await().atMost(10, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> {
                            Set<Thread> now = clientThreads();
                            now.removeAll(before);
                            assertThat(now).isEmpty();
                        });
    }
}
