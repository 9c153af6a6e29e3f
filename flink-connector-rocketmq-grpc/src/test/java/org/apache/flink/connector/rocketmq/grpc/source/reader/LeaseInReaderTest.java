/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.metrics.SourceMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.flink.util.clock.ManualClock;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the leases of messages that wait in a reader: renewed, emitted or given back. */
@Timeout(60)
class LeaseInReaderTest {

    private static final long LEASE = Duration.ofSeconds(60).toMillis();

    private final ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
    private final CountedMetrics counted = new CountedMetrics();
    private final ManualClock clock = new ManualClock();
    private final ManualTimer timer = new ManualTimer();
    private final RecordedReaderOutput<String> output = new RecordedReaderOutput<>();
    private final SourceMetrics metrics = new SourceMetrics(counted.group());
    private ReceiveSession session = newSession(Configs.options(), true);
    private MessageEmitter<String> emitter;

    @Test
    void aThousandEmissionsDuringRenewalsCarryTheNewestHandleAndNothingIsRenewedAfterThem()
            throws Exception {
        // case 4
        List<ScriptedConsumer.Change> open = Collections.synchronizedList(new ArrayList<>());
        consumer.onChange(open::add);
        started();
        for (int round = 0; round < 1000; round++) {
            QueuedMessage queued = arrives(leased("a", round)).get(0);
            ticks(56);
            ScriptedConsumer.Change change = open.remove(0);
            CountDownLatch answered = new CountDownLatch(1);
            Thread server =
                    new Thread(
                            () -> {
                                change.answers("renewed");
                                answered.countDown();
                            },
                            "server");
            server.start();
            if (round % 2 == 0) {
                answered.await();
            }
            emit(queued);
            server.join();
            int renewalsBefore = consumer.changes().size();
            ticks(120);

            String handle = lastHandle();
            if (round % 2 == 0) {
                assertThat(handle).isEqualTo("renewed");
            } else {
                assertThat(handle).isIn("renewed", "handle-a-" + round);
            }
            assertThat(consumer.changes()).hasSize(renewalsBefore);
        }
        assertThat(counted.count("expiredBeforeEmission")).isZero();
    }

    @Test
    void whatWaitsInFlinksQueueOrIsHeldBackByTheEmitterIsRenewedToo() throws IOException {
        started();
        List<QueuedMessage> fetched = arrives(leased("a", 0), leased("a", 1), leased("a", 2));
        emit(fetched.get(0));
        ticks(58);
        assertThat(consumer.changes()).hasSize(3);
        ticks(58);
        emit(fetched.get(1));
        emit(fetched.get(2));

        assertThat(output.values()).containsExactly("a-0", "a-1", "a-2");
        assertThat(counted.count("expiredBeforeEmission")).isZero();
        assertThat(lastHandle()).isEqualTo("handle-a-2++");
        assertThat(consumer.changes())
                .allSatisfy(c -> assertThat(c.isSuspend()).isFalse())
                .allSatisfy(c -> assertThat(c.duration()).isEqualTo(Duration.ofSeconds(60)));
    }

    @Test
    void whenARenewalFailsForGoodItsMessageAndWhatFollowsAreNotEmitted() throws IOException {
        started();
        List<QueuedMessage> fetched = arrives(leased("a", 0), leased("a", 1), leased("a", 2));
        consumer.onChange(
                change -> {
                    if (change.entry().messageId().equals("a-1")) {
                        change.fails(
                                Messages.failure(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
                    } else {
                        change.answers("renewed");
                    }
                });
        ticks(70);
        for (QueuedMessage queued : fetched) {
            emit(queued);
        }

        assertThat(output.values()).isEmpty();
        assertThat(counted.count("expiredBeforeEmission")).isEqualTo(3);
        assertThat(counted.gauge("queuedMessages")).isZero();
        session.close();
        assertThat(counted.count("released")).isZero();
    }

    @Test
    void aMessageHeldBackWhoseLeaseEndsIsNotEmitted() throws IOException {
        session = newSession(Configs.options(), false);
        started();
        List<QueuedMessage> fetched = arrives(leased("a", 0), leased("a", 1));
        emit(fetched.get(0));
        clock.advanceTime(Duration.ofSeconds(61));
        emit(fetched.get(1));

        assertThat(output.values()).isEmpty();
        assertThat(counted.count("expiredBeforeEmission")).isEqualTo(2);
    }

    @Test
    void sixtyFourWaitingMessagesAreGivenBackAtTheCloseAndNoneIsAcked() throws IOException {
        // case 15
        session =
                newSession(
                        Configs.options().set(RocketMQGrpcSourceOptions.FETCH_CONCURRENCY, 2),
                        false);
        started();
        consumer.openPolls().get(0).answers(deliveries("fetched", 4, 8));
        assertThat(session.take()).hasSize(32);
        consumer.openPolls().get(0).answers(deliveries("queued", 4, 8));
        assertThat(counted.gauge("queuedMessages")).isEqualTo(64);
        session.close();

        assertThat(consumer.acks()).isEmpty();
        assertThat(consumer.withdrawals()).isEqualTo(1);
        assertThat(consumer.changes())
                .hasSize(8)
                .allSatisfy(c -> assertThat(c.isSuspend()).isTrue())
                .allSatisfy(c -> assertThat(c.duration()).isZero())
                .allSatisfy(c -> assertThat(c.isAfterClose()).isFalse());
        assertThat(
                        consumer.changes().stream()
                                .map(c -> c.entry().liteTopic())
                                .collect(Collectors.toSet()))
                .hasSize(8);
        assertThat(counted.count("released")).isEqualTo(64);
    }

    @Test
    void aDeliveryOfWhichSomethingWasEmittedIsNotGivenBack() throws IOException {
        started();
        List<QueuedMessage> fetched = new ArrayList<>(arrives(leased("a", 0), leased("a", 1)));
        fetched.addAll(arrives(leased("b", 0), leased("b", 1), leased("b", 2)));
        emit(fetched.get(0));
        emit(fetched.get(1));
        emit(fetched.get(2));
        emit(fetched.get(3));
        session.close();

        assertThat(output.values()).containsExactly("a-0", "a-1", "b-0");
        assertThat(consumer.changes()).isEmpty();
    }

    @Test
    void whatTheEmitterHoldsBackIsGivenBackAndNotEmittedAfterwards() throws IOException {
        started();
        List<QueuedMessage> fetched = arrives(leased("a", 0), leased("a", 1));
        emit(fetched.get(0));
        session.close();
        emit(fetched.get(1));

        assertThat(consumer.changes()).hasSize(1);
        assertThat(output.values()).isEmpty();
        assertThat(counted.count("released")).isEqualTo(2);
        assertThat(counted.count("expiredBeforeEmission")).isZero();
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void aDeliveryWithoutARecordIsNotAckedAfterItWasGivenBack() throws IOException {
        started();
        List<QueuedMessage> fetched = arrives(leased("a", 0));
        session.close();
        new SourceAcker(config(Configs.options()), session::ack, session::busyUntil, clock, metrics)
                .ack(fetched);

        assertThat(consumer.acks()).isEmpty();
        assertThat(counted.gauge("queuedMessages")).isZero();
    }

    @Test
    void aReleaseWaitsForTheRenewalUnderWayAndUsesTheNewestHandle() throws Exception {
        started();
        AtomicReference<ScriptedConsumer.Change> renewal = new AtomicReference<>();
        CountDownLatch closing = new CountDownLatch(1);
        consumer.onChange(
                change -> {
                    if (change.isSuspend()) {
                        change.answers("released");
                    } else {
                        renewal.set(change);
                    }
                });
        arrives(leased("a", 0));
        ticks(56);
        Thread closer =
                new Thread(
                        () -> {
                            closing.countDown();
                            session.close();
                        },
                        "closing");
        closer.start();
        closing.await();
        while (consumer.withdrawals() == 0) {
            Thread.onSpinWait();
        }
        assertThat(consumer.changes()).hasSize(1);
        renewal.get().answers("renewed");
        closer.join();

        assertThat(consumer.changes()).hasSize(2);
        AckEntry released = consumer.changes().get(1).entry();
        assertThat(released.messageId()).isEqualTo("a-0");
        assertThat(released.receiptHandle()).isEqualTo("renewed");
        assertThat(consumer.changes().get(1).isSuspend()).isTrue();
    }

    @Test
    void whatArrivesWhileTheCloseReleasesIsReleasedToo() throws IOException {
        started();
        AtomicBoolean late = new AtomicBoolean();
        consumer.onChange(
                change -> {
                    if (late.compareAndSet(false, true)) {
                        consumer.openPoll().answers(leased("b", 0));
                    }
                    change.answers("released");
                });
        arrives(leased("a", 0));
        session.close();

        assertThat(consumer.changes())
                .extracting(change -> change.entry().messageId())
                .containsExactly("a-0", "b-0");
    }

    @Test
    void aServerThatDoesNotAnswerDelaysTheCloseByTheLimitAtMost() throws IOException {
        started();
        consumer.onChange(change -> {});
        arrives(leased("a", 0));
        long begun = System.nanoTime();
        session.close();
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);

        assertThat(millis).isBetween(1000L, 10_000L);
        assertThat(consumer.closes()).isEqualTo(1);
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() throws IOException {
        started();
        consumer.onChange(change -> {});
        arrives(leased("a", 0));
        Thread.currentThread().interrupt();
        session.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(consumer.closes()).isEqualTo(1);
    }

    @Test
    void switchedOffNothingIsGivenBackAndNothingIsRenewedAfterTheClose() throws IOException {
        Configuration options =
                Configs.options().set(RocketMQGrpcSourceOptions.RELEASE_ON_CLOSE, false);
        session = newSession(options, true);
        started();
        arrives(leased("a", 0));
        session.close();
        ticks(120);

        assertThat(consumer.changes()).isEmpty();
        assertThat(consumer.withdrawals()).isZero();
    }

    @Test
    void afterAllMessagesLeftTheReaderRemembersNoDelivery() throws IOException {
        started();
        for (int i = 0; i < 100; i++) {
            for (QueuedMessage queued : arrives(leased("lite-" + i, 0), leased("lite-" + i, 1))) {
                emit(queued);
            }
        }
        session.close();

        assertThat(output.values()).hasSize(200);
        assertThat(consumer.withdrawals()).isZero();
    }

    private void started() {
        session.start();
        consumer.startSucceeds();
        emitter =
                new MessageEmitter<>(
                        config(Configs.options()),
                        new Deserializer<>(
                                Messages.TOPIC,
                                RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema())),
                        new SourceAcker(
                                config(Configs.options()),
                                session::ack,
                                session::busyUntil,
                                clock,
                                metrics),
                        session::changeInvisibleDuration,
                        session::busyUntil,
                        metrics,
                        clock);
    }

    private LiteMessage leased(String liteTopic, long offset) {
        return Messages.message(liteTopic, offset)
                .leaseEndMillis(clock.absoluteTimeMillis() + LEASE)
                .build();
    }

    private List<LiteMessage> deliveries(String prefix, int count, int size) {
        List<LiteMessage> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int offset = 0; offset < size; offset++) {
                all.add(leased(prefix + i, offset));
            }
        }
        return all;
    }

    private List<QueuedMessage> arrives(LiteMessage... messages) throws IOException {
        consumer.openPoll().answers(messages);
        return session.take();
    }

    private void emit(QueuedMessage queued) throws IOException {
        emitter.emitRecord(queued, output, new PlaceholderSplit(0));
    }

    private String lastHandle() {
        List<AckableMessage<String>> records = output.records();
        return records.get(records.size() - 1).getReceiptHandle().getReceiptHandle();
    }

    /** Time passes; the timer's actions run each second. */
    private void ticks(int seconds) {
        for (int i = 0; i < seconds; i++) {
            clock.advanceTime(Duration.ofSeconds(1));
            for (int n = timer.pending(); n > 0; n--) {
                timer.runNext();
            }
        }
    }

    private static SourceConfig config(Configuration options) {
        return SourceConfig.from(options);
    }

    private ReceiveSession newSession(Configuration options, boolean renews) {
        Duration renewal = Duration.ofMillis(LEASE);
        return new ReceiveSession(
                config(options),
                c -> consumer,
                renews ? Optional.of(message -> renewal) : Optional.empty(),
                metrics,
                timer,
                clock);
    }
}
