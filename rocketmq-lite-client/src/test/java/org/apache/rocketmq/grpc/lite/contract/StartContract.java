/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteProducer;
import org.apache.rocketmq.grpc.lite.LiteSimpleConsumer;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.apache.rocketmq.grpc.lite.fixtures.LiteServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What a user reads who named the wrong thing: one fatal error within 10 s with endpoint, topic,
 * group, code and the command that repairs it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(90)
abstract class StartContract {

    /** The promise is 10 s; the rest is for a loaded machine. */
    private static final Duration WITHIN = Duration.ofSeconds(12);

    private final String suffix = Long.toString(System.nanoTime(), 36);
    private final String topic = "start-" + suffix;
    private final String otherTopic = "start-other-" + suffix;
    private final String normalTopic = "start-normal-" + suffix;
    private final String group = "start-wildcard-" + suffix;
    private final String namedGroup = "start-named-" + suffix;
    private final String regularGroup = "start-regular-" + suffix;
    private final String unknown = "start-unknown-" + suffix;
    private LiteServer server;

    abstract LiteServer startServer();

    @BeforeAll
    void start() {
        server = startServer();
        server.createLiteTopic(topic);
        server.createLiteTopic(otherTopic);
        server.createTopic(normalTopic, Map.of("message.type", "NORMAL"));
        server.createLiteGroup(group, topic);
        server.createGroup(namedGroup, Map.of("lite.bind.topic", topic));
        server.createGroup(regularGroup, Map.of());
    }

    @AfterAll
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void consumerOfAnUnknownTopic() throws Exception {
        // beside case 32
        RpcException failure = consumerFailure(server.endpoints(), unknown, group);
        assertRepair(failure, unknown, group, topicLine(unknown));
        assertThat(failure.code()).isEqualTo("TOPIC_NOT_FOUND");
    }

    @Test
    void consumerOfATopicOfAnotherType() throws Exception {
        RpcException failure = consumerFailure(server.endpoints(), normalTopic, group);
        assertRepair(failure, normalTopic, group, topicLine(normalTopic));
    }

    @Test
    void consumerWithAnUnknownGroup() throws Exception {
        assertRepair(
                consumerFailure(server.endpoints(), topic, unknown),
                topic,
                unknown,
                groupLine(unknown, topic));
    }

    @Test
    void consumerWithAGroupThatIsNotBound() throws Exception {
        assertRepair(
                consumerFailure(server.endpoints(), topic, regularGroup),
                topic,
                regularGroup,
                groupLine(regularGroup, topic));
    }

    @Test
    void consumerWithAGroupBoundToAnotherTopic() throws Exception {
        assertRepair(
                consumerFailure(server.endpoints(), otherTopic, group),
                otherTopic,
                group,
                groupLine(group, otherTopic));
    }

    @Test
    void consumerWithAGroupWithoutTheWildcardAttribute() throws Exception {
        // beside case 33
        RpcException failure = consumerFailure(server.endpoints(), topic, namedGroup);
        assertRepair(failure, topic, namedGroup, groupLine(namedGroup, topic));
        assertThat(failure).hasMessageContaining("+lite.sub.wildcard=true");
    }

    /** All at once, because each of them takes the whole time a start may take. */
    @Test
    void consumerAtAPortWhereNobodyOrSomethingElseListens() throws Exception {
        try (Socket bound = ForeignPort.closedPort();
                ForeignPort http1 = ForeignPort.http1();
                ForeignPort silent = ForeignPort.silent();
                LiteSimpleConsumer atClosed = consumer(endpointsOf(bound), topic, group);
                LiteSimpleConsumer atHttp1 = consumer(http1.endpoints(), topic, group);
                LiteSimpleConsumer atSilent = consumer(silent.endpoints(), topic, group)) {
            CompletableFuture<Void> closedStart = atClosed.start();
            CompletableFuture<Void> http1Start = atHttp1.start();
            CompletableFuture<Void> silentStart = atSilent.start();
            String closed = endpointsOf(bound);
            assertUnreachable(failureOf(closedStart), closed, "Nothing listens at " + closed);
            assertUnreachable(failureOf(http1Start), http1.endpoints(), "does not speak gRPC");
            assertUnreachable(failureOf(silentStart), silent.endpoints(), "No session within 9 s");
        }
    }

    private static String endpointsOf(Socket bound) {
        return "127.0.0.1:" + bound.getLocalPort();
    }

    @Test
    void acknowledgerWithAWrongGroup() throws Exception {
        for (String wrong : new String[] {unknown, regularGroup}) {
            try (LiteAcknowledger acknowledger =
                    LiteAcknowledger.create(config(server.endpoints()), wrong, topic)) {
                assertRepair(
                        failureOf(acknowledger.start()), topic, wrong, groupLine(wrong, topic));
            }
        }
    }

    @Test
    void producerOfAnUnknownOrNormalTopic() throws Exception {
        for (String wrong : new String[] {unknown, normalTopic}) {
            try (LiteProducer producer = LiteProducer.create(config(server.endpoints()), wrong)) {
                assertRepair(failureOf(producer.start()), wrong, "", topicLine(wrong));
            }
        }
    }

    @Test
    void everyClientStartsWhenAllIsRight() throws Exception {
        try (LiteSimpleConsumer consumer = consumer(server.endpoints(), topic, group);
                LiteAcknowledger acknowledger =
                        LiteAcknowledger.create(config(server.endpoints()), group, topic);
                LiteProducer producer = LiteProducer.create(config(server.endpoints()), topic)) {
            consumer.start().get(10, TimeUnit.SECONDS);
            acknowledger.start().get(10, TimeUnit.SECONDS);
            producer.start().get(10, TimeUnit.SECONDS);
            assertThat(consumer.brokers()).containsExactlyInAnyOrderElementsOf(server.brokers());
        }
    }

    private void assertRepair(RpcException failure, String ofTopic, String ofGroup, String line) {
        assertThat(failure)
                .hasMessageContaining(server.endpoints())
                .hasMessageContaining(ofTopic)
                .hasMessageContaining(ofGroup)
                .hasMessageContaining(failure.code())
                .hasMessageContaining(line);
    }

    private void assertUnreachable(RpcException failure, String endpoints, String why) {
        assertThat(failure)
                .hasMessageContaining(endpoints)
                .hasMessageContaining(topic)
                .hasMessageContaining(group)
                .hasMessageContaining(failure.code())
                .hasMessageContaining(why);
    }

    private static RpcException consumerFailure(String endpoints, String topic, String group)
            throws Exception {
        try (LiteSimpleConsumer consumer = consumer(endpoints, topic, group)) {
            return failureOf(consumer.start());
        }
    }

    private static RpcException failureOf(CompletableFuture<Void> start) throws Exception {
        try {
            start.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(RpcException.class);
            RpcException failure = (RpcException) e.getCause();
            assertThat(failure.kind()).isEqualTo(ErrorKind.FATAL);
            return failure;
        }
        throw new AssertionError("the start succeeded");
    }

    private static String topicLine(String ofTopic) {
        return "-t " + ofTopic + " -a \"+message.type=LITE\"";
    }

    private static String groupLine(String ofGroup, String ofTopic) {
        return "mqadmin updateSubGroup -n <namesrv> -c <cluster> -g "
                + ofGroup
                + " -r 1000000 --attributes \"+lite.bind.topic="
                + ofTopic
                + ",+lite.sub.wildcard=true";
    }

    private static LiteSimpleConsumer consumer(String endpoints, String topic, String group) {
        return LiteSimpleConsumer.create(
                config(endpoints),
                new LiteSubscription(topic, group, Duration.ofSeconds(5), Duration.ofSeconds(10)));
    }

    private static LiteClientConfig config(String endpoints) {
        return LiteClientConfig.builder().endpoints(Endpoints.parse(endpoints)).build();
    }
}
