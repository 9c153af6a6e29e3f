/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Leases of a shared client. */
@Timeout(120)
class AckCorePoolTest {

    private final AckConfig config = AckTestBed.config(AckOrder.AUTO);
    private final Queue<CheckedAcknowledger> opened = new ConcurrentLinkedQueue<>();
    private final AtomicInteger coresMade = new AtomicInteger();
    private final AckCorePool pool = new AckCorePool(this::core);
    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    private AckCore core(AckConfig coreConfig) {
        coresMade.incrementAndGet();
        return new AckCore(
                coreConfig,
                (client, group, topic) -> {
                    CheckedAcknowledger acknowledger = new CheckedAcknowledger();
                    opened.add(acknowledger);
                    return acknowledger;
                },
                new AckTimerThread(),
                SequencerLimits.DEFAULT);
    }

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    private static RocketMQReceiptHandle handle(String liteTopic) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", liteTopic, "m-" + liteTopic)
                .receipt("r", System.currentTimeMillis() + 60_000)
                .delivery("broker-a", 1, 1)
                .place(0, true)
                .build();
    }

    private static List<String> timerThreads() {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("rocketmq-ack-")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    @Test
    void releasingTwiceLeavesTheOtherLeaseItsClient() {
        RocketMQLiteAckClient first = RocketMQLiteAckClient.acquire(pool, config);
        RocketMQLiteAckClient second = RocketMQLiteAckClient.acquire(pool, config);
        assertThat(coresMade).hasValue(1);
        first.release();
        first.release();

        assertThat(second.ack(handle("a")).join()).isEqualTo(AckOutcome.SETTLED);
        assertThatThrownBy(() -> first.ack(handle("b")).join())
                .cause()
                .hasMessageContaining("the client was released");
        second.release();
        assertThat(pool.size()).isZero();
        assertThat(opened).hasSize(1).allSatisfy(a -> assertThat(a.closes).hasValue(1));
        assertThat(timerThreads()).isEmpty();
    }

    @Test
    void aFailedCreationLeavesNoEntry() {
        AtomicBoolean fails = new AtomicBoolean(true);
        AckCorePool failing =
                new AckCorePool(
                        coreConfig -> {
                            if (fails.get()) {
                                throw new IllegalStateException("no core");
                            }
                            return core(coreConfig);
                        });
        assertThatThrownBy(() -> RocketMQLiteAckClient.acquire(failing, config))
                .hasMessage("no core");
        assertThat(failing.size()).isZero();
        fails.set(false);
        RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(failing, config);

        assertThat(client.ack(handle("a")).join()).isEqualTo(AckOutcome.SETTLED);
        client.release();
    }

    @Test
    void aClientThatIsSlowToMakeHoldsUpNobodyWhoWantsAnotherOne() throws Exception {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AckConfig slow = AckTestBed.config(AckOrder.NONE);
        AckCorePool slowForOne =
                new AckCorePool(
                        coreConfig -> {
                            if (coreConfig.equals(slow)) {
                                making.countDown();
                                awaitQuietly(mayEnd);
                            }
                            return core(coreConfig);
                        });
        Future<RocketMQLiteAckClient> first =
                threads.submit(() -> RocketMQLiteAckClient.acquire(slowForOne, slow));
        assertThat(making.await(30, TimeUnit.SECONDS)).isTrue();
        Future<RocketMQLiteAckClient> second =
                threads.submit(() -> RocketMQLiteAckClient.acquire(slowForOne, slow));

        RocketMQLiteAckClient other =
                threads.submit(() -> RocketMQLiteAckClient.acquire(slowForOne, config))
                        .get(30, TimeUnit.SECONDS);
        assertThat(other.ack(handle("a")).join()).isEqualTo(AckOutcome.SETTLED);
        other.release();
        assertThat(first.isDone()).isFalse();
        assertThat(second.isDone()).isFalse();

        mayEnd.countDown();
        first.get(30, TimeUnit.SECONDS).release();
        second.get(30, TimeUnit.SECONDS).release();
        assertThat(coresMade.get()).as("the other, and one or two of the slow").isBetween(2, 3);
        assertThat(slowForOne.size()).isZero();
    }

    @Test
    void whoWaitsForAClientThatAnotherTaskMakesHearsWhyItCannotBeMadeAndWaitsNotForEver()
            throws Exception {
        CountDownLatch making = new CountDownLatch(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        AckCorePool failing =
                new AckCorePool(
                        coreConfig -> {
                            making.countDown();
                            awaitQuietly(mayFail);
                            throw new IllegalStateException("no core");
                        },
                        Duration.ofMillis(300));
        Future<RocketMQLiteAckClient> first =
                threads.submit(() -> RocketMQLiteAckClient.acquire(failing, config));
        assertThat(making.await(30, TimeUnit.SECONDS)).isTrue();
        Future<RocketMQLiteAckClient> second =
                threads.submit(() -> RocketMQLiteAckClient.acquire(failing, config));
        assertThatThrownBy(() -> second.get(30, TimeUnit.SECONDS))
                .cause()
                .hasMessage(
                        "another task is still making the acknowledging client of this"
                                + " configuration after 300 ms");
        mayFail.countDown();
        assertThatThrownBy(() -> first.get(30, TimeUnit.SECONDS)).hasRootCauseMessage("no core");
        assertThat(failing.size()).isZero();
    }

    @Test
    void theCancellationOfTheTaskThatMakesTheClientFailsNoOtherTask() throws Exception {
        CountDownLatch making = new CountDownLatch(1);
        AtomicBoolean hangs = new AtomicBoolean(true);
        AckCorePool interruptible =
                new AckCorePool(
                        coreConfig -> {
                            if (hangs.getAndSet(false)) {
                                making.countDown();
                                awaitQuietly(new CountDownLatch(1));
                                throw new IllegalStateException("interrupted");
                            }
                            return core(coreConfig);
                        });
        Future<RocketMQLiteAckClient> cancelled =
                threads.submit(() -> RocketMQLiteAckClient.acquire(interruptible, config));
        assertThat(making.await(30, TimeUnit.SECONDS)).isTrue();
        Future<RocketMQLiteAckClient> waiting =
                threads.submit(() -> RocketMQLiteAckClient.acquire(interruptible, config));
        cancelled.cancel(true);

        RocketMQLiteAckClient client = waiting.get(30, TimeUnit.SECONDS);
        assertThat(client.ack(handle("a")).join()).isEqualTo(AckOutcome.SETTLED);
        client.release();
        assertThat(interruptible.size()).isZero();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void jobsWithSecretsOfTheirOwnNeverShareASession() {
        RocketMQLiteAckClient first = RocketMQLiteAckClient.acquire(pool, keys("secret-1"));
        RocketMQLiteAckClient second = RocketMQLiteAckClient.acquire(pool, keys("secret-2"));
        RocketMQLiteAckClient third = RocketMQLiteAckClient.acquire(pool, resolver("job.A"));
        RocketMQLiteAckClient fourth = RocketMQLiteAckClient.acquire(pool, resolver("job.B"));
        List<RocketMQLiteAckClient> clients = List.of(first, second, third, fourth);
        clients.forEach(client -> client.ack(handle("same")).join());

        assertThat(opened).as("sessions of one route").hasSize(4);
        clients.forEach(RocketMQLiteAckClient::release);
    }

    @Test
    void jobsWhoseResolversHaveTheSameNameNeverShareASessionButTheTasksOfOneDo() throws Exception {
        RocketMQLiteAckClient first = acquireAs(new ClassLoader() {}, resolver("job.Resolver"));
        ClassLoader otherJob = new ClassLoader() {};
        RocketMQLiteAckClient second = acquireAs(otherJob, resolver("job.Resolver"));
        RocketMQLiteAckClient sameJob = acquireAs(otherJob, resolver("job.Resolver"));
        List<RocketMQLiteAckClient> clients = List.of(first, second, sameJob);
        clients.forEach(client -> client.ack(handle("same")).join());

        assertThat(opened).as("sessions of one route").hasSize(2);
        clients.forEach(RocketMQLiteAckClient::release);
    }

    private RocketMQLiteAckClient acquireAs(ClassLoader job, AckConfig jobConfig) throws Exception {
        return threads.submit(
                        () -> {
                            Thread.currentThread().setContextClassLoader(job);
                            return RocketMQLiteAckClient.acquire(pool, jobConfig);
                        })
                .get(30, TimeUnit.SECONDS);
    }

    private static AckConfig keys(String secret) {
        return AckConfig.from(
                new Configuration()
                        .set(RocketMQGrpcClientOptions.ACCESS_KEY, "user")
                        .set(RocketMQGrpcClientOptions.SECRET_KEY, secret));
    }

    private static AckConfig resolver(String name) {
        return AckConfig.from(
                new Configuration()
                        .set(RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS, name));
    }

    @Test
    void whoAcquiresWhileTheClientClosesGetsAnOpenOne() throws Exception {
        RocketMQLiteAckClient closing = RocketMQLiteAckClient.acquire(pool, config);
        closing.ack(handle("a")).join();
        CheckedAcknowledger slow = opened.element();
        slow.closeMayEnd = new CountDownLatch(1);
        Future<?> release = threads.submit(closing::release);
        assertThat(slow.closeBegan.await(10, TimeUnit.SECONDS)).isTrue();

        RocketMQLiteAckClient fresh = RocketMQLiteAckClient.acquire(pool, config);
        assertThat(fresh.ack(handle("b")).join()).isEqualTo(AckOutcome.SETTLED);
        slow.closeMayEnd.countDown();
        release.get(10, TimeUnit.SECONDS);
        assertThat(fresh.ack(handle("c")).join()).isEqualTo(AckOutcome.SETTLED);
        fresh.release();
        assertThat(opened).hasSize(2).allSatisfy(a -> assertThat(a.closes).hasValue(1));
    }

    // case 44
    @Test
    void eightThreadsThatAcquireAckAndReleaseLeaveNothing() throws Exception {
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int thread = t;
            results.add(threads.submit(() -> acquireAckRelease(thread)));
        }
        for (Future<Integer> result : results) {
            assertThat(result.get(100, TimeUnit.SECONDS)).isEqualTo(1_000);
        }

        assertThat(pool.size()).isZero();
        assertThat(opened).isNotEmpty().allSatisfy(a -> assertThat(a.closes).hasValue(1));
        assertThat(timerThreads()).isEmpty();
    }

    private int acquireAckRelease(int thread) {
        int settled = 0;
        for (int i = 0; i < 1_000; i++) {
            RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(pool, config);
            if (client.ack(handle("t" + thread + "-" + i)).join() == AckOutcome.SETTLED) {
                settled++;
            }
            client.release();
        }
        return settled;
    }

    @Test
    void otherConfigurationsDoNotShare() {
        RocketMQLiteAckClient auto = RocketMQLiteAckClient.acquire(pool, config);
        RocketMQLiteAckClient none =
                RocketMQLiteAckClient.acquire(pool, AckTestBed.config(AckOrder.NONE));
        assertThat(pool.size()).isEqualTo(2);
        auto.release();
        none.release();
    }

    @Test
    void manySessionsCloseAtTheSameTime() throws Exception {
        RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(pool, config);
        for (int i = 0; i < 8; i++) {
            client.ack(handle("a").toBuilder().route("127.0.0.1:8081", "", "g" + i).build()).join();
        }
        opened.forEach(acknowledger -> acknowledger.closeMayEnd = new CountDownLatch(1));
        Future<?> release = threads.submit(client::release);
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(opened).allSatisfy(a -> assertThat(a.closes).hasValue(1)));
        assertThat(release.isDone()).as("all begun while the first is not done").isFalse();
        opened.forEach(acknowledger -> acknowledger.closeMayEnd.countDown());

        release.get(10, TimeUnit.SECONDS);
        assertThat(timerThreads()).isEmpty();
    }

    @Test
    void eachRouteHasItsSession() {
        RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(pool, config);
        client.ack(handle("a")).join();
        client.ack(handle("b")).join();
        client.ack(handle("c").toBuilder().route("127.0.0.1:8081", "", "other").build()).join();
        client.ack(handle("d").toBuilder().route("127.0.0.1:8082", "", "GID").build()).join();

        assertThat(opened).hasSize(3);
        client.release();
        assertThat(opened).allSatisfy(a -> assertThat(a.closes).hasValue(1));
    }

    @Test
    void anIdleSessionGivesItsRoomToANewRoute() {
        RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(pool, config);
        for (int i = 0; i <= AckCore.MAX_SESSIONS; i++) {
            client.ack(handle("a").toBuilder().route("127.0.0.1:8081", "", "g" + i).build()).join();
        }
        assertThat(opened).hasSize(AckCore.MAX_SESSIONS + 1);
        Awaitility.await().untilAsserted(() -> assertThat(opened.element().closes).hasValue(1));
        client.release();
    }

    /** Answers at once; refuses calls after its close. */
    private static final class CheckedAcknowledger implements LiteAcknowledger {
        private final AtomicInteger closes = new AtomicInteger();
        private final CountDownLatch closeBegan = new CountDownLatch(1);
        private volatile CountDownLatch closeMayEnd = new CountDownLatch(0);

        @Override
        public CompletableFuture<Void> beginClose() {
            closes.compareAndSet(0, 1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> start() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<List<AckResult>> ack(List<AckEntry> entries) {
            if (closes.get() > 0) {
                return CompletableFuture.failedFuture(new IllegalStateException("closed"));
            }
            List<AckResult> results = new ArrayList<>();
            entries.forEach(entry -> results.add(AckResult.ok(entry)));
            return CompletableFuture.completedFuture(results);
        }

        @Override
        public CompletableFuture<String> changeInvisibleDuration(
                AckEntry entry, Duration invisibleDuration, boolean suspend) {
            return CompletableFuture.completedFuture("renewed");
        }

        @Override
        public void close() {
            beginClose();
            closeBegan.countDown();
            try {
                closeMayEnd.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
