/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The share of its lease that a message had used when it was acked. */
class LeaseUseTest {

    private static final long LEASE_MILLIS = 10_000;

    private final ManualTimer timer = new ManualTimer();
    private final ScriptedAcknowledger server = new ScriptedAcknowledger();
    private final AckCorePool pool =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> server,
                                    timer,
                                    SequencerLimits.DEFAULT));
    private final RocketMQLiteAckClient client =
            RocketMQLiteAckClient.acquire(pool, AckTestBed.config(AckOrder.AUTO));

    @AfterEach
    void release() {
        client.release();
    }

    /** A handle as server 5.5.0 writes it, received now. */
    private RocketMQReceiptHandle received(String liteTopic) {
        return RocketMQReceiptHandle.builder()
                .route("127.0.0.1:8081", "", "GID")
                .message("main", liteTopic, "m-" + liteTopic)
                .receipt(
                        "0 1796068180036 " + LEASE_MILLIS + " 999 0 broker-a 0 3 4001",
                        timer.nowMillis() + LEASE_MILLIS)
                .delivery("broker-a", 1_796_068_180_036L, 1)
                .place(0, true)
                .build();
    }

    private void expectShare(double share) {
        assertThat(client.leaseUsed()).isCloseTo(share, within(1e-9));
    }

    @Test
    void anAckAtNinetyNinePercentOfTheLeaseSettlesAndOneAtAHundredAndOneIsStale() {
        expectShare(0);
        RocketMQReceiptHandle inTime = received("a");
        timer.advance(9_900);
        assertThat(client.ack(inTime)).isCompletedWithValue(AckOutcome.SETTLED);
        expectShare(0.99);

        RocketMQReceiptHandle tooLate = received("b");
        timer.advance(10_100);
        server.ackScript.add(
                ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID_RECEIPT_HANDLE"));
        assertThat(client.ack(tooLate)).isCompletedWithValue(AckOutcome.STALE);
        expectShare(1.01);
        assertThat(client.stats().stale).hasValue(1);
        assertThat(client.stats().failures).as("no reason to fail a job").hasValue(0);
        assertThat(server.ackRequests()).isEqualTo(2);
    }

    @Test
    void theLargestShareIsForgottenAfterAMinuteOrTwo() {
        RocketMQReceiptHandle slow = received("a");
        timer.advance(8_000);
        client.ack(slow);
        timer.advance(59_999);
        client.ack(received("b"));
        expectShare(0.8);
        timer.advance(1);
        expectShare(0.8);
        RocketMQReceiptHandle quick = received("c");
        timer.advance(1_000);
        client.ack(quick);
        expectShare(0.8);
        timer.advance(60_000);

        expectShare(0.1);
        timer.advance(200_000);
        expectShare(0);
    }

    @Test
    void anExtensionMakesTheLeaseLonger() {
        RocketMQReceiptHandle extended =
                received("a").toBuilder()
                        .receipt(
                                "3 1796068180036 40000 999 0 broker-a 0 3 4001",
                                timer.nowMillis() + 40_000)
                        .build();
        timer.advance(20_000);
        client.ack(extended);

        expectShare(0.5);
    }

    @Test
    void aHandleThatDoesNotTellItsLeaseIsLeftOut() {
        RocketMQReceiptHandle opaque =
                received("a").toBuilder().receipt("opaque", timer.nowMillis()).build();
        assertThat(client.ack(opaque)).isCompletedWithValue(AckOutcome.SETTLED);

        expectShare(0);
    }
}
