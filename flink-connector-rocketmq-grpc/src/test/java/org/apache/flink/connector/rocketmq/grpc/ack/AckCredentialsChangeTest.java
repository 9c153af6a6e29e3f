/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.config.CredentialsResolver;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandleCodec;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys that the server refuses while the resolver, for now, cannot be asked for others. */
@Timeout(180)
class AckCredentialsChangeTest {

    private static final String TOPIC = "main";
    private static final String GROUP = "GID";

    @Test
    void acksGoOnWithNewKeysThatTheResolverFindsOnlyAfterItHasFailed() throws Exception {
        try (FakeProxy proxy = FakeProxy.builder().accessControl().start()) {
            proxy.createLiteTopic(TOPIC);
            proxy.createLiteGroup(GROUP, TOPIC);
            admit(proxy, "old");
            List<RocketMQReceiptHandle> handles = receiveTwo(proxy);
            Vault.user = "old";
            Vault.FAILURES.set(0);
            RocketMQLiteAckClient client = RocketMQLiteAckClient.acquire(withVault());
            try {
                assertThat(client.ack(handles.get(0)).get(30, TimeUnit.SECONDS))
                        .isEqualTo(AckOutcome.SETTLED);
                proxy.access().deleteUser("old");
                Vault.user = null;
                CompletableFuture<AckOutcome> ack = client.ack(handles.get(1));
                await().atMost(Duration.ofSeconds(40)).until(() -> Vault.FAILURES.get() >= 2);
                assertThat(ack).isNotDone();

                admit(proxy, "new");
                Vault.user = "new";
                assertThat(ack.get(60, TimeUnit.SECONDS)).isEqualTo(AckOutcome.SETTLED);
                assertThat(client.stats().failures).hasValue(0);
            } finally {
                client.release();
            }
        }
    }

    private static void admit(FakeProxy proxy, String user) {
        proxy.access().putUser(user, "secret-of-" + user);
        proxy.access().grant(user, "Topic:" + TOPIC, "Sub");
        proxy.access().grant(user, "Group:" + GROUP, "Sub");
    }

    private static AckConfig withVault() {
        return AckConfig.from(
                new Configuration()
                        .set(
                                RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS,
                                Vault.class.getName()));
    }

    private static List<RocketMQReceiptHandle> receiveTwo(FakeProxy proxy) throws Exception {
        Endpoints endpoints = Endpoints.parse(proxy.endpoints());
        proxy.send(TOPIC, LiteOutgoingMessage.of("a", new byte[] {1}));
        proxy.send(TOPIC, LiteOutgoingMessage.of("b", new byte[] {2}));
        List<RocketMQReceiptHandle> handles = new ArrayList<>();
        try (LiteSimpleConsumer consumer =
                LiteSimpleConsumer.create(
                        LiteClientConfig.builder()
                                .endpoints(endpoints)
                                .credentials(
                                        CredentialsProvider.of(
                                                Credentials.of("old", "secret-of-old")))
                                .build(),
                        new LiteSubscription(
                                TOPIC, GROUP, Duration.ofSeconds(20), Duration.ofMinutes(5)))) {
            consumer.start().get(30, TimeUnit.SECONDS);
            while (handles.size() < 2) {
                for (LiteMessage message :
                        consumer.receive(FakeProxy.BROKER_A, 32).get(60, TimeUnit.SECONDS)) {
                    handles.add(
                            RocketMQReceiptHandleCodec.begin(
                                            message, endpoints.toString(), "", GROUP)
                                    .place(0, true)
                                    .build());
                }
            }
        }
        return handles;
    }

    /** Gives the keys of the user that the test says, or fails. */
    public static final class Vault implements CredentialsResolver {
        private static final AtomicInteger FAILURES = new AtomicInteger();
        private static volatile String user;

        @Override
        public Credentials resolve(String endpoints) {
            String now = user;
            if (now == null) {
                FAILURES.incrementAndGet();
                throw new IllegalStateException("vault sealed");
            }
            return Credentials.of(now, "secret-of-" + now);
        }
    }
}
