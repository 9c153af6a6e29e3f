/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who takes places in flight: one cluster that is away leaves them to the others. */
@Timeout(60)
class AckPlacesTest {

    private static final int MAX_IN_FLIGHT = 4;
    private static final String DEAD = "DEAD";

    private final CheckpointScenario job = new CheckpointScenario();
    private final ScriptedAcknowledger dead = new ScriptedAcknowledger();
    private final List<RocketMQLiteAckClient> clients = new ArrayList<>();

    AckPlacesTest() {
        job.withLease(Duration.ofMinutes(10));
        job.options.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, MAX_IN_FLIGHT);
        job.serversOfGroups.put(DEAD, dead);
    }

    @AfterEach
    void release() {
        clients.forEach(RocketMQLiteAckClient::release);
    }

    private RocketMQLiteAckClient client() {
        RocketMQLiteAckClient client =
                RocketMQLiteAckClient.acquire(job.pool, AckConfig.from(job.options));
        clients.add(client);
        return client;
    }

    private RocketMQReceiptHandle deadHandle(int i) {
        return job.handle("dead" + i, 0).toBuilder().route("127.0.0.1:9081", "", DEAD).build();
    }

    private void everythingFails() {
        for (int i = 0; i < 100_000; i++) {
            dead.ackScript.add(ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
            dead.changeScript.add(ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        }
    }

    @Test
    void anAckIsSettledAtOnceWhileMoreThanMaxInFlightAreRepeatedAtAnotherCluster() {
        everythingFails();
        RocketMQLiteAckClient client = client();
        for (int i = 0; i < 5 * MAX_IN_FLIGHT; i++) {
            client.ack(deadHandle(i));
        }

        assertThat(client.ack(job.handle("alive", 0))).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(client.stats().inFlight()).isEqualTo(5 * MAX_IN_FLIGHT);
    }

    @Test
    void anAckIsSettledAtOnceWhileDeferralsAndExtensionsAreRepeatedAtAnotherCluster() {
        everythingFails();
        RocketMQLiteAckClient client = client();
        for (int i = 0; i < 2 * MAX_IN_FLIGHT; i++) {
            client.defer(deadHandle(2 * i), Duration.ofSeconds(20));
            client.changeInvisibleDuration(deadHandle(2 * i + 1), Duration.ofSeconds(20));
        }

        assertThat(client.ack(job.handle("alive", 0))).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(client.stats().inFlight()).isEqualTo(4 * MAX_IN_FLIGHT);
    }

    @Test
    void oneRequestThatFailsFreesThePlacesOfAllThatWaitBehindIt() throws Exception {
        dead.answerByHand();
        RocketMQLiteAckClient client = client();
        for (int i = 0; i < MAX_IN_FLIGHT; i++) {
            client.ack(deadHandle(i));
        }
        assertThat(dead.ackedIds()).as("the others are queued").hasSize(1);
        CompletableFuture<CompletableFuture<AckOutcome>> caller =
                CompletableFuture.supplyAsync(() -> client.ack(job.handle("alive", 0)));
        Awaitility.await()
                .during(Duration.ofMillis(100))
                .until(() -> !caller.isDone() && job.acked().isEmpty());

        dead.acks
                .get(0)
                .answer(
                        entry ->
                                AckResult.failed(
                                        entry,
                                        ScriptedAcknowledger.error(
                                                ErrorKind.TRANSIENT, "DEADLINE_EXCEEDED")));
        assertThat(caller.get(30, TimeUnit.SECONDS).get(30, TimeUnit.SECONDS))
                .isEqualTo(AckOutcome.SETTLED);
        for (int i = 0; i < 2 * MAX_IN_FLIGHT; i++) {
            client.ack(deadHandle(100 + i));
        }
        assertThat(client.ack(job.handle("alive", 1))).isCompletedWithValue(AckOutcome.SETTLED);
    }

    @Test
    void beyondTheirBoundAcksThatAreRepeatedKeepTheirPlaces() {
        AckTestBed bed = new AckTestBed(AckConfig.from(new Configuration()).order(), limits(3));
        int all = bed.places.availablePermits();
        for (int i = 0; i < 5; i++) {
            bed.server.ackScript.add(
                    ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        }
        List<CompletableFuture<AckOutcome>> acks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            acks.add(bed.ack("t" + i, 0));
        }
        assertThat(bed.places.availablePermits()).isEqualTo(all - 2);
        assertThat(bed.stats.repeating()).isEqualTo(3);
        assertThat(bed.stats.inFlight()).isEqualTo(5);

        bed.timer.advance(AckTestBed.LEASE_MILLIS / 2);
        assertThat(acks).allSatisfy(a -> assertThat(a).isCompletedWithValue(AckOutcome.SETTLED));
        assertThat(bed.places.availablePermits()).isEqualTo(all);
        assertThat(bed.stats.repeating()).isZero();
        assertThat(bed.stats.inFlight()).isZero();
    }

    @Test
    void anAckAtABrokerThatAnswersAgainTakesItsPlace() {
        AckTestBed bed = new AckTestBed();
        int all = bed.places.availablePermits();
        bed.server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        bed.ack("t", 0);
        assertThat(bed.places.availablePermits()).isEqualTo(all);
        bed.timer.advance(AckTestBed.LEASE_MILLIS / 2);

        bed.server.answerByHand();
        CompletableFuture<AckOutcome> next = bed.ack("next", 0);
        assertThat(bed.places.availablePermits()).isEqualTo(all - 1);
        bed.server.answerLastAck();
        assertThat(next).isCompletedWithValue(AckOutcome.SETTLED);
        assertThat(bed.places.availablePermits()).isEqualTo(all);
    }

    @Test
    void threeSubtasksOfOneClientAreNotifiedWithoutWaitingThoughTheServerIsSilent()
            throws Exception {
        job.server.answerByHand();
        List<OneInputStreamOperatorTestHarness<AckableMessage<String>, String>> subtasks =
                new ArrayList<>();
        for (int subtask = 0; subtask < 3; subtask++) {
            job.open();
            subtasks.add(job.harness);
            for (int i = 0; i < 3 * MAX_IN_FLIGHT; i++) {
                job.receive("s" + subtask + "-" + i, 0);
            }
            job.snapshot(1);
            job.complete(1);
            assertThat(job.client.stats().inFlight()).isEqualTo(MAX_IN_FLIGHT / 2);
        }

        job.server.answerAtOnce();
        job.server.answerLastAck();
        Awaitility.await().untilAsserted(() -> assertThat(job.acked()).hasSize(9 * MAX_IN_FLIGHT));
        for (AutoCloseable subtask : subtasks) {
            subtask.close();
        }
    }

    @Test
    void anAckThatIsRepeatedDoesNotKeepTheOthersOfItsCheckpointBack() throws Exception {
        everythingFails();
        job.open();
        for (int i = 0; i < 5 * MAX_IN_FLIGHT; i++) {
            job.receive(deadHandle(i));
        }
        job.receive("alive", 0);
        job.snapshot(1);
        job.complete(1);

        assertThat(job.acked()).containsExactly("alive0");
        job.close();
    }

    @Test
    void anExtensionOfTheTaskItselfWaitsForNoPlace() throws Exception {
        job.server.answerByHand();
        job.open();
        RocketMQLiteAckClient other = client();
        for (int i = 0; i < MAX_IN_FLIGHT; i++) {
            other.ack(job.handle("other" + i, 0));
        }
        job.receive("long", 0);
        job.withLease(Duration.ofSeconds(30));
        job.receive("late", 0);
        job.look();

        assertThat(job.server.changes).hasSize(1);
        assertThat(job.server.changes.get(0).entry.messageId()).isEqualTo("late0");
        job.server.changes.get(0).future.complete("renewed");
        job.close();
    }

    @Test
    void extensionsThatHaveNoEndAtOneClusterLeaveRoomForThoseOfAnother() {
        List<CompletableFuture<RocketMQReceiptHandle>> open = new ArrayList<>();
        List<String> extended = new ArrayList<>();
        StragglerRenewal renewal =
                new StragglerRenewal(
                        (handle, lease) -> {
                            extended.add(handle.getLiteTopic());
                            open.add(new CompletableFuture<>());
                            return open.get(open.size() - 1);
                        },
                        new SimpleCounter());
        job.withLease(Duration.ofSeconds(3));
        List<PendingHandle> waiting = new ArrayList<>();
        for (int i = 0; i < 2 * StragglerRenewal.MAX_UNDER_WAY; i++) {
            waiting.add(new PendingHandle(deadHandle(i), 0, () -> {}));
        }
        waiting.add(new PendingHandle(job.handle("alive", 0), 0, () -> {}));
        int looks = 2 + StragglerRenewal.MAX_UNDER_WAY / StragglerRenewal.PER_LOOK;
        for (int i = 0; i < looks; i++) {
            renewal.renewDue(waiting, 0);
        }
        assertThat(extended).as("their leases have not come near").isEmpty();
        long now = System.currentTimeMillis();
        waiting.replaceAll(pending -> new PendingHandle(pending.handle(), now, () -> {}));
        for (int i = 0; i < looks; i++) {
            renewal.renewDue(waiting, now);
        }
        assertThat(extended).hasSize(StragglerRenewal.MAX_UNDER_WAY + 1).contains("alive");

        open.get(0).completeExceptionally(new IllegalStateException("its lease ended"));
        open.get(1).complete(deadHandle(1));
        renewal.renewDue(waiting, now);
        assertThat(extended).hasSize(StragglerRenewal.MAX_UNDER_WAY + 3);
    }

    private static SequencerLimits limits(int maxHeld) {
        return new SequencerLimits(100, maxHeld);
    }
}
