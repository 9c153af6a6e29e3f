/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;

/** One session with a scripted client and a manual clock; handles with a lease of 60 s. */
final class AckTestBed {

    static final long LEASE_MILLIS = 60_000;
    static final long ORDER_TIMEOUT_MILLIS = 5_000;
    static final String GROUP = "GID";

    final ManualTimer timer = new ManualTimer();
    final ScriptedAcknowledger server = new ScriptedAcknowledger();
    final AckStats stats = new AckStats();
    final Semaphore places = new Semaphore(1_000_000);
    final AckSession session;

    AckTestBed() {
        this(AckOrder.AUTO, SequencerLimits.DEFAULT);
    }

    AckTestBed(AckOrder order, SequencerLimits limits) {
        session =
                new AckSession(
                        AckRoute.of(handle("t", 0)),
                        config(order),
                        limits,
                        timer,
                        () -> server,
                        dead -> {});
    }

    static AckConfig config(AckOrder order) {
        return AckConfig.from(
                new Configuration()
                        .set(RocketMQGrpcAckOptions.ORDER, order)
                        .set(
                                RocketMQGrpcAckOptions.ORDER_TIMEOUT,
                                Duration.ofMillis(ORDER_TIMEOUT_MILLIS)));
    }

    /** A message of delivery 1 of a lite topic, named after its place. */
    RocketMQReceiptHandle handle(String liteTopic, int index) {
        return handle(liteTopic, 1, index).build();
    }

    RocketMQReceiptHandle last(String liteTopic, int index) {
        return handle(liteTopic, 1, index).place(index, true).build();
    }

    RocketMQReceiptHandle.Builder handle(String liteTopic, long delivery, int index) {
        String id = liteTopic + index;
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", GROUP)
                .message("main", liteTopic, id)
                .receipt("r-" + id, timer.nowMillis() + LEASE_MILLIS)
                .delivery("broker-a", delivery, 1)
                .place(index, false);
    }

    Permit permit() {
        return Permit.takeWithoutWaiting(places);
    }

    CompletableFuture<AckOutcome> ack(RocketMQReceiptHandle handle) {
        return session.ack(handle, stats, permit());
    }

    CompletableFuture<AckOutcome> ack(String liteTopic, int index) {
        return ack(handle(liteTopic, index));
    }

    CompletableFuture<AckOutcome> defer(RocketMQReceiptHandle handle, long millis) {
        return session.defer(handle, Duration.ofMillis(millis), stats, permit());
    }

    CompletableFuture<AckOutcome> defer(String liteTopic, int index, long millis) {
        return defer(handle(liteTopic, index), millis);
    }
}
