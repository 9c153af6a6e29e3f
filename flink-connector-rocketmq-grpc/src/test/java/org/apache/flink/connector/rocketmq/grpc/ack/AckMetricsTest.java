/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.flink.connector.rocketmq.grpc.config.AckOrder;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator publishes about its acks. */
class AckMetricsTest {

    private final ScriptedAcknowledger server = new ScriptedAcknowledger();
    private final AckCorePool pool =
            new AckCorePool(
                    config ->
                            new AckCore(
                                    config,
                                    (client, group, topic) -> server,
                                    new ManualTimer(),
                                    SequencerLimits.DEFAULT));
    private final RocketMQLiteAckClient client =
            RocketMQLiteAckClient.acquire(pool, AckTestBed.config(AckOrder.AUTO));
    private final RecordingMetricGroup metrics = new RecordingMetricGroup();

    @AfterEach
    void release() {
        client.release();
    }

    private static RocketMQReceiptHandle handle(String liteTopic, int index) {
        return new AckTestBed().handle(liteTopic, index);
    }

    @Test
    void everyEndOfACallIsCounted() {
        AckMetrics.register(metrics, client);
        client.ack(handle("a", 0));
        client.defer(handle("a", 1), Duration.ofSeconds(10));
        client.ack(handle("a", 2));
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.STALE_HANDLE, "INVALID"));
        client.ack(handle("b", 0));
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.FATAL, "FORBIDDEN"));
        client.ack(handle("c", 0));
        server.ackScript.add(ScriptedAcknowledger.error(ErrorKind.TRANSIENT, "UNAVAILABLE"));
        client.ack(handle("d", 0));
        client.ack(handle("e", 1));

        assertThat(metrics.values())
                .containsEntry("acksSettled", 2L)
                .containsEntry("acksDropped", 1L)
                .containsEntry("acksStale", 1L)
                .containsEntry("acksFailed", 1L)
                .containsEntry("acksRetried", 1L)
                .containsEntry("acksLostAtClose", 0L)
                .containsEntry("deferrals", 1L)
                .containsEntry("deferralRpcs", 1L)
                .containsEntry("acksInFlight", 1L)
                .containsEntry("acksHeld", 1L)
                .containsEntry("ackOrdersGivenUp", 0L)
                .containsEntry("ackDeliveriesForgotten", 0L)
                .containsEntry("ackHoldsRefused", 0L)
                .containsEntry("ackLeaseLeft", (long) AckTestBed.LEASE_MILLIS)
                .containsEntry("ackLeaseUsed", 0.0)
                .hasSize(17);
    }

    /** Remembers what was registered. */
    private static final class RecordingMetricGroup extends UnregisteredMetricsGroup {
        private final Map<String, Supplier<?>> metrics = new HashMap<>();

        @Override
        public <C extends Counter> C counter(String name, C counter) {
            metrics.put(name, counter::getCount);
            return counter;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            metrics.put(name, gauge::getValue);
            return gauge;
        }

        /** Their values now. */
        Map<String, Object> values() {
            Map<String, Object> values = new HashMap<>();
            metrics.forEach((name, metric) -> values.put(name, metric.get()));
            return values;
        }
    }
}
