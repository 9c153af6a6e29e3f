/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.ack.RocketMQAckProcessFunction;
import org.apache.flink.connector.rocketmq.grpc.config.CredentialsResolver;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessage;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.rocketmq.grpc.testing.LogCapture;
import org.apache.flink.connector.rocketmq.grpc.testing.Seen;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.Collector;
import org.apache.flink.util.ExceptionUtils;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs on two clusters with access control, whose keys a resolver finds. */
@Timeout(300)
class CredentialsITCase {

    private static final String SECRET = "Zx9-unique-secret-of-this-test";
    private static final Duration LIMIT = Duration.ofSeconds(90);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(2)
                            .build());

    private static DevCluster first;
    private static DevCluster second;

    private LogCapture logs;

    @BeforeAll
    static void startClusters() {
        CompletableFuture<DevCluster> other =
                CompletableFuture.supplyAsync(CredentialsITCase::cluster);
        first = cluster();
        second = other.join();
    }

    private static DevCluster cluster() {
        return DevCluster.builder().accessControl(true).fastLiteEvents(true).start();
    }

    @AfterAll
    static void stopClusters() {
        if (first != null) {
            first.close();
        }
        if (second != null) {
            second.close();
        }
    }

    @BeforeEach
    void capture() {
        logs = LogCapture.begin();
    }

    /** Case 58, the part that exists: no line at DEBUG holds the secret. */
    @AfterEach
    void noLogLineHoldsTheSecret() {
        logs.close();
        assertThat(logs.lines()).isNotEmpty().noneMatch(line -> line.contains(SECRET));
    }

    @Test
    void twoClustersWithKeysOfTheirOwnAreAckedByOneFunctionAlsoWhenOneIsDown() throws Exception {
        try (LiteTopicFixture left = LiteTopicFixture.create(first);
                LiteTopicFixture right = LiteTopicFixture.create(second);
                Seen<String> seen = new Seen<>()) {
            admit(first, "left-user", left);
            admit(second, "right-user", right);
            ByEndpoints.put(left, "left-user");
            ByEndpoints.put(right, "right-user");
            StreamExecutionEnvironment env = environment(2);
            DataStream<AckableMessage<String>> both =
                    source(env, left, "left").union(source(env, right, "right"));
            JobClient job = start(env, both, new NoteAndAck(seen, resolverOptions()));
            try {
                left.sendRounds(20, 3);
                right.sendRounds(20, 3);
                await().atMost(LIMIT).until(() -> left.backlog() == 0 && right.backlog() == 0);
                assertThat(left.stored()).isEqualTo(60);
                assertThat(right.stored()).isEqualTo(60);
                assertThat(acknowledgerThreads()).isEqualTo(2);

                second.kill();
                left.sendRounds(20, 3);
                await().atMost(LIMIT).until(() -> left.stored() == 120 && left.backlog() == 0);
                assertThat(job.getJobStatus().get(30, TimeUnit.SECONDS))
                        .isEqualTo(JobStatus.RUNNING);
            } finally {
                job.cancel().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void keysChangeWhileMessagesFlowAndNothingFails() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create(first);
                Seen<String> seen = new Seen<>()) {
            admit(first, "rotated-1", fixture);
            admit(first, "rotated-2", fixture);
            ByEndpoints.put(fixture, "rotated-1");
            StreamExecutionEnvironment env = environment(1);
            JobClient job =
                    start(env, source(env, fixture, "s"), new NoteAndAck(seen, resolverOptions()));
            try {
                fixture.sendRounds(20, 2);
                await().atMost(LIMIT).until(() -> seen.distinct() == 40);

                // when the source and the ack client have the new keys, the old user can go
                ByEndpoints.put(fixture, "rotated-2");
                fixture.sendRounds(20, 2);
                await().atMost(LIMIT)
                        .until(
                                () -> {
                                    fixture.send("keeps-flowing", "keeps-flowing");
                                    return ByEndpoints.askedFor("rotated-2") == 2;
                                });
                first.users().delete("rotated-1");
                await().atMost(LIMIT)
                        .until(
                                () -> {
                                    fixture.send("keeps-flowing", "keeps-flowing");
                                    return isRefused(fixture, "rotated-1");
                                });
                fixture.sendRounds(20, 1);
                await().atMost(LIMIT).until(() -> fixture.backlog() == 0);
                long announced = refusals();

                // the other way round, refused first: looked up again, and repeated
                admit(first, "rotated-3", fixture);
                ByEndpoints.put(fixture, "rotated-3");
                first.users().delete("rotated-2");
                fixture.sendRounds(30, 1);

                await().atMost(LIMIT).until(() -> fixture.backlog() == 0);
                System.out.println(
                        "keys changed under load, refused requests: "
                                + announced
                                + " with the new keys known everywhere first, "
                                + (refusals() - announced)
                                + " with the old user deleted at once");
                assertThat(announced).isZero();
                assertThat(job.getJobStatus().get(30, TimeUnit.SECONDS))
                        .isEqualTo(JobStatus.RUNNING);
            } finally {
                job.cancel().get(60, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void aSourceWithoutPermissionOrWithAWrongSecretFailsTheJobWithTheRepair() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create(first);
                Seen<String> seen = new Seen<>()) {
            String grant = "-r Topic:" + fixture.topic() + ",Group:" + fixture.group() + " -a Sub";
            first.users().put("no-topic", SECRET);
            first.users().grant("no-topic", "Group:" + fixture.group(), "Sub");
            first.users().put("no-group", SECRET);
            first.users().grant("no-group", "Topic:" + fixture.topic(), "Sub");

            assertSourceFails(fixture, seen, keys("no-topic", SECRET), "mqadmin createAcl", grant);
            assertSourceFails(fixture, seen, keys("no-group", SECRET), "mqadmin createAcl", grant);
            // beside case 26
            assertSourceFails(
                    fixture, seen, keys("no-group", SECRET + "-wrong"), "mqadmin getUser");
        }
    }

    @Test
    void anAckWithoutPermissionFailsTheJobWithTheRepair() throws Exception {
        try (LiteTopicFixture fixture = LiteTopicFixture.create(first);
                Seen<String> seen = new Seen<>()) {
            admit(first, "reads", fixture);
            first.users().put("cannot-ack", SECRET);
            first.users().grant("cannot-ack", "Topic:" + fixture.topic(), "Sub");
            StreamExecutionEnvironment env = environment(1);
            ByEndpoints.put(fixture, "reads");
            JobClient job =
                    start(
                            env,
                            source(env, fixture, "s"),
                            new NoteAndAck(seen, keys("cannot-ack", SECRET)));
            fixture.send("lt", "one");

            assertThat(failureOf(job))
                    .contains("ack failed for topic " + fixture.topic() + ", lite topic lt")
                    .contains("code UNAUTHORIZED")
                    .contains("mqadmin createAcl")
                    .contains("Group:" + fixture.group())
                    .doesNotContain(SECRET);
        }
    }

    private void assertSourceFails(
            LiteTopicFixture fixture, Seen<String> seen, Configuration keys, String... parts)
            throws Exception {
        StreamExecutionEnvironment env = environment(1);
        Configuration options = fixture.sourceOptions();
        options.addAll(keys);
        JobClient job =
                start(env, source(env, options, "s"), new NoteAndAck(seen, new Configuration()));

        assertThat(failureOf(job))
                .contains("receiving failed, topic " + fixture.topic())
                .contains("group " + fixture.group())
                .contains("endpoints " + fixture.endpoints())
                .contains("code UNAUTHORIZED")
                .contains(parts)
                .doesNotContain(SECRET);
    }

    /** Requests with the keys of a resolver that the server refused so far in this test. */
    private long refusals() {
        return logs.lines().stream()
                .filter(line -> line.contains("RefreshingCredentials"))
                .filter(line -> line.endsWith(": a request was refused"))
                .count();
    }

    /** Whether the proxy has learned that a user is gone. */
    private static boolean isRefused(LiteTopicFixture fixture, String user) {
        LiteClientConfig client =
                LiteClientConfig.builder()
                        .endpoints(Endpoints.parse(fixture.endpoints()))
                        .credentials(CredentialsProvider.of(Credentials.of(user, SECRET)))
                        .build();
        try (LiteAcknowledger acknowledger =
                LiteAcknowledger.create(client, fixture.group(), fixture.topic())) {
            Throwable failure =
                    catchThrowable(() -> acknowledger.start().get(30, TimeUnit.SECONDS));
            return failure != null && failure.getMessage().contains("code UNAUTHORIZED");
        }
    }

    private static String failureOf(JobClient job) {
        Throwable failure =
                catchThrowable(() -> job.getJobExecutionResult().get(90, TimeUnit.SECONDS));
        assertThat(failure).isNotNull();
        return ExceptionUtils.stringifyException(failure);
    }

    private static void admit(DevCluster cluster, String user, LiteTopicFixture fixture) {
        cluster.users().put(user, SECRET);
        cluster.users().grant(user, "Topic:" + fixture.topic(), "Sub");
        cluster.users().grant(user, "Group:" + fixture.group(), "Sub");
    }

    private static StreamExecutionEnvironment environment(int parallelism) {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        env.setParallelism(parallelism);
        return env;
    }

    private static DataStream<AckableMessage<String>> source(
            StreamExecutionEnvironment env, LiteTopicFixture fixture, String name) {
        Configuration options = fixture.sourceOptions();
        options.addAll(resolverOptions());
        return source(env, options, name);
    }

    private static DataStream<AckableMessage<String>> source(
            StreamExecutionEnvironment env, Configuration options, String name) {
        RocketMQGrpcSource<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(options)
                        .setAwaitDuration(Duration.ofSeconds(5))
                        .setValueOnlyDeserializer(new SimpleStringSchema())
                        .build();
        return env.fromSource(source, WatermarkStrategy.noWatermarks(), name);
    }

    private static JobClient start(
            StreamExecutionEnvironment env,
            DataStream<AckableMessage<String>> stream,
            NoteAndAck function)
            throws Exception {
        stream.keyBy(AckableMessage::getLiteTopic)
                .process(function)
                .returns(Types.STRING)
                .sinkTo(new DiscardingSink<>());
        return env.executeAsync();
    }

    private static Configuration resolverOptions() {
        return Configuration.fromMap(
                Map.of("rocketmq.client.credentials-resolver-class", ByEndpoints.class.getName()));
    }

    private static Configuration keys(String accessKey, String secretKey) {
        return Configuration.fromMap(
                Map.of(
                        "rocketmq.client.access-key", accessKey,
                        "rocketmq.client.secret-key", secretKey));
    }

    private static long acknowledgerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rocketmq-acknowledger-io-"))
                .count();
    }

    /** Finds what the test put, which travels with no job. */
    public static final class ByEndpoints implements CredentialsResolver {
        private static final Map<String, String> USERS = new ConcurrentHashMap<>();
        private static final Map<String, Set<ByEndpoints>> ASKED = new ConcurrentHashMap<>();

        private static void put(LiteTopicFixture fixture, String user) {
            USERS.put(fixture.endpoints(), user);
        }

        @Override
        public Credentials resolve(String endpoints) {
            String user = USERS.get(endpoints);
            ASKED.computeIfAbsent(user, key -> ConcurrentHashMap.newKeySet()).add(this);
            return Credentials.of(user, SECRET);
        }

        /** How many resolvers gave this user. */
        private static int askedFor(String user) {
            return ASKED.getOrDefault(user, Set.of()).size();
        }
    }

    /** Notes the value, acks the message. */
    private static final class NoteAndAck extends RocketMQAckProcessFunction<String, String> {
        private static final long serialVersionUID = 1L;
        private final Seen<String> seen;

        NoteAndAck(Seen<String> seen, Configuration options) {
            super(options);
            this.seen = seen;
        }

        @Override
        public void processElement(
                AckableMessage<String> message, Context context, Collector<String> out) {
            seen.add(message.getValue());
            ack(message);
            out.collect(message.getValue());
        }
    }
}
