/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.devcluster.TcpRelay;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another port between the clients and the proxy, as port mapping makes it, and its faults. */
@Timeout(180)
class RelayITCase {

    private final String id = UUID.randomUUID().toString().substring(0, 8);
    private final String topic = "relay-" + id;
    private final String group = "GID-relay-" + id;

    private TcpRelay relay;
    private LiteProducer producer;
    private LiteAcknowledger acknowledger;
    private PollingLoop loop;

    @BeforeEach
    void startEverythingBehindTheRelay() throws Exception {
        DevCluster cluster = DevCluster.shared();
        cluster.createLiteTopic(topic);
        cluster.createLiteGroup(group, topic);
        relay = TcpRelay.to(cluster.endpoints());
        LiteClientConfig config =
                LiteClientConfig.builder().endpoints(Endpoints.parse(relay.endpoints())).build();
        producer = LiteProducer.create(config, topic);
        acknowledger = LiteAcknowledger.create(config, group, topic);
        loop =
                new PollingLoop(
                        LiteSimpleConsumer.create(
                                config,
                                new LiteSubscription(
                                        topic,
                                        group,
                                        Duration.ofSeconds(20),
                                        Duration.ofSeconds(10))),
                        acknowledger::ack);
        producer.start().get(30, TimeUnit.SECONDS);
        acknowledger.start().get(30, TimeUnit.SECONDS);
        loop.start();
    }

    @AfterEach
    void closeEverything() {
        loop.close();
        acknowledger.close();
        producer.close();
        relay.close();
    }

    @Test
    void allThreeClientsWorkThroughAnotherPort() throws Exception {
        sendAndAwait("plain", Duration.ofSeconds(20));
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(
                        () ->
                                assertThat(
                                                DevCluster.shared()
                                                        .liteOffsets(topic, group, "plain")
                                                        .committed())
                                        .isEqualTo(1));
        assertThat(loop.failures()).isEmpty();
    }

    // beside case 25
    @Test
    void aResetConnectionIsMadeAnewAndSubscribedAgain() throws Exception {
        sendAndAwait("before", Duration.ofSeconds(20));
        relay.reset();
        sendAndAwait("after-reset", Duration.ofSeconds(20));
    }

    // beside case 25
    @Test
    void dataFlowsWithinAMinuteAfterABlackHoleHeals() throws Exception {
        sendAndAwait("before", Duration.ofSeconds(20));
        relay.blackHole();
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(
                        () ->
                                assertThat(loop.failures())
                                        .as("a poll whose connection is given up")
                                        .anyMatch(e -> e.getMessage().contains("ReceiveMessage")));
        relay.heal();
        sendAndAwait("after-black-hole", Duration.ofSeconds(60));
    }

    /** Sends until the connection is back; lite topics of their own do not wait for lost acks. */
    private void sendAndAwait(String liteTopic, Duration limit) {
        await().atMost(limit)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptionsMatching(e -> e.getCause() instanceof RpcException)
                .until(
                        () -> {
                            String sent =
                                    producer.send(LiteOutgoingMessage.of(liteTopic, new byte[] {1}))
                                            .get(10, TimeUnit.SECONDS)
                                            .messageId();
                            await().atMost(Duration.ofSeconds(limit.getSeconds() / 2))
                                    .pollInterval(Duration.ofMillis(20))
                                    .until(() -> loop.has(sent));
                            return true;
                        });
    }
}
