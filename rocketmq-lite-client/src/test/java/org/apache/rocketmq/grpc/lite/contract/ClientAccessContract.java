/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Consumer, acknowledger and producer at a server with access control. */
abstract class ClientAccessContract extends AccessContract {

    private static final String TOPIC = "guarded-clients";
    private static final String GROUP = "GID-guarded-clients";
    private static final String SECRET = "s3cret-of-the-clients";
    private static final long LIMIT_SECONDS = 30;

    private GuardedServer server;

    @BeforeAll
    void admitClients() {
        server = server();
        server.createLiteTopic(TOPIC);
        server.createLiteGroup(GROUP, TOPIC);
        for (String user : List.of("reader", "second", "writer", "no-group", "no-topic")) {
            server.putUser(user, SECRET);
        }
        for (String user : List.of("reader", "second")) {
            server.grant(user, "Topic:" + TOPIC, "Sub");
            server.grant(user, "Group:" + GROUP, "Sub");
        }
        server.grant("writer", "Topic:" + TOPIC, "Pub");
        server.grant("no-group", "Topic:" + TOPIC, "Sub");
        server.grant("no-topic", "Group:" + GROUP, "Sub");
    }

    @Test
    void receivingAckingDeferringAndSendingWorkWithTheRightKeys() throws Exception {
        try (LiteSimpleConsumer consumer = consumer(of("reader"));
                LiteAcknowledger acknowledger = acknowledger(of("reader"));
                LiteProducer producer = LiteProducer.create(client(of("writer")), TOPIC)) {
            done(consumer.start());
            done(acknowledger.start());
            done(producer.start());

            done(producer.send(message("works")));
            AckEntry first = receive(consumer, "works");
            done(acknowledger.changeInvisibleDuration(first, Duration.ZERO, true));
            AckEntry again = receive(consumer, "works");
            assertThat(done(acknowledger.ack(List.of(again))).get(0).isOk()).isTrue();
        }
    }

    @Test
    void wrongKeysAndMissingPermissionsFailTheStartWithTheirRepair() {
        String grant =
                "mqadmin createAcl (updateAcl, if the user has permissions already) -n <namesrv> -c"
                        + " <cluster> -s User:<access key> -r Topic:"
                        + TOPIC;
        assertRefused(consumer(of("no-topic")).start(), "access Topic:" + TOPIC, grant);
        assertRefused(consumer(of("no-group")).start(), "access Group:" + GROUP, grant, "-a Sub");
        assertRefused(acknowledger(of("no-group")).start(), "access Group:" + GROUP, grant);
        assertRefused(
                LiteProducer.create(client(of("reader")), TOPIC).start(), grant + " -a Pub -d");
        assertRefused(
                consumer(CredentialsProvider.of(Credentials.of("reader", "wrong"))).start(),
                "check signature failed",
                "mqadmin getUser");
        assertRefused(consumer(null).start(), "signed requests only");
    }

    @Test
    void credentialsThatChangeAreUsedWithTheNextRequest() throws Exception {
        Rotating rotating = new Rotating(credentials("reader"), credentials("second"));
        try (LiteSimpleConsumer consumer = consumer(of("reader"));
                LiteAcknowledger acknowledger = acknowledger(rotating);
                LiteProducer producer = LiteProducer.create(client(of("writer")), TOPIC)) {
            done(consumer.start());
            done(acknowledger.start());
            done(producer.start());
            done(producer.send(message("rotates")));
            AckEntry entry = receive(consumer, "rotates");

            rotating.current = 1;
            server.putUser("reader", "no-longer-" + SECRET);
            try {
                assertThat(done(acknowledger.ack(List.of(entry))).get(0).isOk()).isTrue();
            } finally {
                server.putUser("reader", SECRET);
            }
            assertThat(rotating.refusals.get()).isZero();
        }
    }

    @Test
    void aRequestRefusedWithOldCredentialsMayBeRepeatedOneWithTheNewestMayNot() throws Exception {
        server.putUser("rotated", SECRET);
        server.grant("rotated", "Topic:" + TOPIC, "Sub");
        server.grant("rotated", "Group:" + GROUP, "Sub");
        Rotating rotating = new Rotating(credentials("rotated"), credentials("second"));
        AckEntry unknown = new AckEntry(TOPIC, "none", "message-1", "no handle");
        try (LiteAcknowledger acknowledger = acknowledger(rotating)) {
            done(acknowledger.start());
            server.putUser("rotated", "another");

            RpcException old = refusal(acknowledger.ack(List.of(unknown)));
            assertThat(old.code()).isEqualTo("UNAUTHORIZED");
            assertThat(old.kind()).isEqualTo(ErrorKind.TRANSIENT);
            rotating.mayHelp = false;
            RpcException last = refusal(acknowledger.ack(List.of(unknown)));
            assertThat(last.kind()).isEqualTo(ErrorKind.FATAL);
            assertThat(last).hasMessageNotContaining(SECRET);
            rotating.current = 1;
            assertThat(refusal(acknowledger.ack(List.of(unknown))).code())
                    .isNotEqualTo("UNAUTHORIZED");
        }
    }

    private void assertRefused(CompletableFuture<Void> start, String... parts) {
        RpcException refusal = refusal(start);
        assertThat(refusal.kind()).isEqualTo(ErrorKind.FATAL);
        assertThat(refusal.code()).isEqualTo("UNAUTHORIZED");
        assertThat(refusal)
                .hasMessageContaining("cannot start (endpoints " + server.endpoints())
                .hasMessageContaining("topic " + TOPIC)
                .hasMessageContaining("code UNAUTHORIZED")
                .hasMessageNotContaining(SECRET);
        assertThat(refusal.getMessage()).contains(parts).contains("Repair: ");
    }

    /** A failed call, or the failure of its only result. */
    private static RpcException refusal(CompletableFuture<?> future) {
        Throwable failure = catchThrowable(() -> future.get(LIMIT_SECONDS, TimeUnit.SECONDS));
        if (failure == null) {
            List<?> results = (List<?>) future.join();
            return ((AckResult) results.get(0)).failure().get();
        }
        assertThat(failure).hasCauseInstanceOf(RpcException.class);
        return (RpcException) failure.getCause();
    }

    private AckEntry receive(LiteSimpleConsumer consumer, String liteTopic) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (System.nanoTime() < deadline) {
            for (LiteMessage message : done(consumer.receive(server.brokers().get(0), 32))) {
                if (message.liteTopic().equals(liteTopic)) {
                    return new AckEntry(
                            message.topic(),
                            message.liteTopic(),
                            message.messageId(),
                            message.receiptHandle());
                }
            }
        }
        throw new AssertionError("nothing received from " + liteTopic);
    }

    private static <T> T done(CompletableFuture<T> future) throws Exception {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    private static LiteOutgoingMessage message(String liteTopic) {
        return LiteOutgoingMessage.of(liteTopic, new byte[] {1});
    }

    private LiteSimpleConsumer consumer(CredentialsProvider provider) {
        return LiteSimpleConsumer.create(
                client(provider),
                new LiteSubscription(TOPIC, GROUP, Duration.ofSeconds(5), Duration.ofSeconds(60)));
    }

    private LiteAcknowledger acknowledger(CredentialsProvider provider) {
        return LiteAcknowledger.create(client(provider), GROUP, TOPIC);
    }

    private LiteClientConfig client(CredentialsProvider provider) {
        return LiteClientConfig.builder()
                .endpoints(Endpoints.parse(server.endpoints()))
                .credentials(provider)
                .build();
    }

    private static CredentialsProvider of(String user) {
        return CredentialsProvider.of(credentials(user));
    }

    private static Credentials credentials(String user) {
        return Credentials.of(user, SECRET);
    }

    /** Gives one or the other. */
    private static final class Rotating implements CredentialsProvider {
        private final List<Credentials> all;
        private final AtomicInteger refusals = new AtomicInteger();
        private volatile int current;
        private volatile boolean mayHelp = true;

        private Rotating(Credentials... all) {
            this.all = List.of(all);
        }

        @Override
        public CompletionStage<Credentials> credentials() {
            return CompletableFuture.completedFuture(all.get(current));
        }

        @Override
        public boolean refused(Credentials credentials) {
            refusals.incrementAndGet();
            return mayHelp;
        }
    }
}
