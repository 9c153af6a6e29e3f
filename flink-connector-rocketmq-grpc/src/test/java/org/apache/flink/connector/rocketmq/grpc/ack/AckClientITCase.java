/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.flink.connector.rocketmq.grpc.ack.AckFixture.Arrival;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The acknowledging client against the real server. */
@Timeout(300)
class AckClientITCase {

    @Test
    void fiveThousandMessagesOfFiveHundredLiteTopicsAreAckedAndNoneComesBack() throws Exception {
        Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
        Queue<CompletableFuture<AckOutcome>> acks = new ConcurrentLinkedQueue<>();
        try (AckFixture fixture = new AckFixture(Duration.ofSeconds(60))) {
            RocketMQLiteAckClient client = fixture.client;
            fixture.receive(
                    arrival -> {
                        seen.computeIfAbsent(arrival.body, k -> new AtomicInteger())
                                .incrementAndGet();
                        acks.add(client.ack(arrival.handle));
                    });
            fixture.server.sendRounds(500, 10);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(120))
                    .until(() -> seen.size() == 5_000 && acks.size() >= 5_000);
            assertThat(client.drain(Duration.ofSeconds(30))).isZero();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(fixture.server.offsets())
                                            .hasSize(500)
                                            .allSatisfy(
                                                    (lite, at) -> {
                                                        assertThat(at.max()).isEqualTo(10);
                                                        assertThat(at.committed()).isEqualTo(10);
                                                    }));
            assertThat(seen.values()).allSatisfy(times -> assertThat(times).hasValue(1));
            assertThat(client.stats().settled).hasValue(5_000);
            assertThat(client.stats().stale).hasValue(0);
            assertThat(client.ordersGivenUp()).isZero();
            assertThat(fixture.errors()).isEmpty();
        }
    }

    @Test
    void aDeferredLiteTopicIsSilentWhileOthersFlowWithoutDelay() throws Exception {
        Queue<Arrival> hot = new ConcurrentLinkedQueue<>();
        Queue<Long> coldLatencies = new ConcurrentLinkedQueue<>();
        try (AckFixture fixture = new AckFixture(Duration.ofSeconds(60))) {
            RocketMQLiteAckClient client = fixture.client;
            for (int i = 0; i < 6; i++) {
                fixture.server.send("hot", "h" + i);
            }
            fixture.receive(
                    arrival -> {
                        if (arrival.liteTopic().equals("hot")) {
                            hot.add(arrival);
                        } else {
                            long sentAt = Long.parseLong(arrival.body);
                            coldLatencies.add(arrival.atNanos - sentAt);
                            client.ack(arrival.handle);
                        }
                    });
            // a first delivery of fewer comes back with the rest when its lease ends
            Awaitility.await()
                    .atMost(Duration.ofSeconds(150))
                    .until(() -> hot.stream().anyMatch(a -> a.handle.getIndexInDelivery() == 5));
            List<Arrival> arrived = new ArrayList<>(hot);
            List<Arrival> first = arrived.subList(arrived.size() - 6, arrived.size());
            hot.clear();

            // the deferral is asked for first; it must wait for the acks below it
            long deferredAt = System.nanoTime();
            CompletableFuture<AckOutcome> deferral =
                    client.defer(first.get(2).handle, Duration.ofSeconds(10));
            CompletableFuture<AckOutcome> above = client.ack(first.get(3).handle);
            assertThat(above).isCompletedWithValue(AckOutcome.DROPPED);
            client.ack(first.get(1).handle);
            client.ack(first.get(0).handle);
            assertThat(deferral.get(10, TimeUnit.SECONDS)).isEqualTo(AckOutcome.SETTLED);

            int cold = 0;
            while (hot.isEmpty() && System.nanoTime() - deferredAt < 50_000_000_000L) {
                fixture.server.send("cold-" + cold % 20, String.valueOf(System.nanoTime()));
                cold++;
                TimeUnit.MILLISECONDS.sleep(50);
            }
            int coldBeforeHot = coldLatencies.size();
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> hot.size() >= 4);

            Duration silent = Duration.ofNanos(hot.element().atNanos - deferredAt);
            System.out.println(
                    "deferred for 10 s, back after "
                            + silent.toMillis()
                            + " ms; others meanwhile, 99 %: "
                            + percentile99(coldLatencies).toMillis()
                            + " ms");
            // a deferral without effect brings it back at once or with its lease of 60 s
            assertThat(silent).isBetween(Duration.ofMillis(9_900), Duration.ofSeconds(50));
            assertThat(hot.stream().map(arrival -> arrival.body))
                    .as("what was acked below the deferral does not come back")
                    .containsExactly("h2", "h3", "h4", "h5");
            int sent = cold;
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> coldLatencies.size() == sent);
            assertThat(sent).isGreaterThan(4);
            assertThat(coldBeforeHot)
                    .as("of %s others, arrived while the hot one was silent", sent)
                    .isGreaterThanOrEqualTo(sent / 2);
            hot.forEach(arrival -> client.ack(arrival.handle));
            assertThat(client.drain(Duration.ofSeconds(10))).isZero();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(fixture.server.offsets().get("hot").backlog())
                                            .isZero());
            assertThat(client.stats().deferralRpcs).hasValue(1);
        }
    }

    private static Duration percentile99(Queue<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().collect(Collectors.toList());
        return Duration.ofNanos(sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1));
    }

    @Test
    void aMessageThatIsExtendedThreeTimesAndThenAckedIsNeverDeliveredAgain() throws Exception {
        Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
        try (AckFixture fixture = new AckFixture(Duration.ofSeconds(10))) {
            RocketMQLiteAckClient client = fixture.client;
            fixture.receive(arrivals::add);
            fixture.server.send("lite", "m");
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !arrivals.isEmpty());
            RocketMQReceiptHandle first = arrivals.poll().handle;
            RocketMQReceiptHandle newest = first;
            for (int i = 0; i < 3; i++) {
                RocketMQReceiptHandle before = newest;
                newest =
                        client.changeInvisibleDuration(before, Duration.ofSeconds(20))
                                .get(10, TimeUnit.SECONDS);
                assertThat(newest.getReceiptHandle()).isNotEqualTo(before.getReceiptHandle());
                TimeUnit.SECONDS.sleep(4);
            }

            assertThat(client.ack(newest).get(10, TimeUnit.SECONDS)).isEqualTo(AckOutcome.SETTLED);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(
                            () ->
                                    assertThat(fixture.server.offsets().get("lite").backlog())
                                            .isZero());
            assertThat(System.currentTimeMillis()).isGreaterThan(first.getLeaseEndMillis());
            TimeUnit.SECONDS.sleep(2);
            assertThat(arrivals).as("nothing came back").isEmpty();
        }
    }

    @Test
    void anAckAfterTheLeaseIsStaleAndTheMessageComesBack() throws Exception {
        List<Arrival> arrivals = Collections.synchronizedList(new ArrayList<>());
        try (AckFixture fixture = new AckFixture(Duration.ofSeconds(10))) {
            RocketMQLiteAckClient client = fixture.client;
            fixture.receive(arrivals::add);
            fixture.server.send("lite", "m");
            Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> arrivals.size() == 2);

            assertThat(client.ack(arrivals.get(0).handle).get(10, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.STALE);
            assertThat(client.ack(arrivals.get(1).handle).get(10, TimeUnit.SECONDS))
                    .isEqualTo(AckOutcome.SETTLED);
            assertThat(arrivals.get(1).handle.getDeliveryAttempt()).isEqualTo(2);
            assertThat(Arrays.asList(arrivals.get(0).body, arrivals.get(1).body))
                    .containsExactly("m", "m");
        }
    }
}
