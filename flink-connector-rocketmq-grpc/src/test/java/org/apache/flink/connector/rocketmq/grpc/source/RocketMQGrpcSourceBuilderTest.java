/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.message.AckableMessageTypeInfo;
import org.apache.flink.connector.rocketmq.grpc.source.reader.CountedMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.reader.FakeReaderContext;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

class RocketMQGrpcSourceBuilderTest {

    private static RocketMQGrpcSourceBuilder<String> complete() {
        return RocketMQGrpcSource.<String>builder()
                .setEndpoints("127.0.0.1:8081")
                .setConsumerGroup("GID-lite")
                .setMainTopic("LiteMainTopic")
                .setValueOnlyDeserializer(new SimpleStringSchema());
    }

    @Test
    void whatIsRequiredIsEnough() {
        // beside case 36
        RocketMQGrpcSource<String> source = complete().build();

        assertThat(source)
                .hasToString(
                        "RocketMQGrpcSource{SourceConfig{endpoints=127.0.0.1:8081,"
                                + " topic=LiteMainTopic, group=GID-lite}}");
        assertThat(source.getBoundedness()).isEqualTo(Boundedness.CONTINUOUS_UNBOUNDED);
        assertThat(source.getProducedType()).isEqualTo(AckableMessageTypeInfo.of(Types.STRING));
    }

    @Test
    void noNamespaceAtAllIsTheEmptyOne() {
        assertThat(complete().setNamespace(null).build())
                .usingRecursiveComparison()
                .isEqualTo(complete().setNamespace("").build());
    }

    @Test
    void anIdleTimeMakesTheSourceBounded() {
        // beside case 66
        assertThat(complete().setBoundedByIdle(Duration.ofSeconds(3)).build().getBoundedness())
                .isEqualTo(Boundedness.BOUNDED);
    }

    @ParameterizedTest
    @CsvFileSource(resources = "/source-option-values.csv", delimiter = '|')
    void everyValueAtAndOverTheEdgeGetsItsVerdict(String key, String value, String verdict) {
        // case 36
        Configuration options = new Configuration();
        options.setString(key, value);
        RocketMQGrpcSourceBuilder<String> builder = complete().setConfiguration(options);
        if (verdict.equals("taken")) {
            assertThat(builder.build()).isNotNull();
            return;
        }

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining(verdict);
    }

    @Test
    void aNamespaceOrAKeyThatNoHeaderCarriesIsRefusedByNameAndTheKeyIsNotShown() {
        // case 38
        assertThatThrownBy(() -> complete().setNamespace("租户").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "rocketmq.client.namespace: '租户' (expected: printable ASCII without"
                                + " blanks, because it travels in a request header)");
        assertThatThrownBy(() -> complete().setNamespace("a\nb").build())
                .hasMessageStartingWith("rocketmq.client.namespace: ");
        for (String key : new String[] {"acc ess", "acc\ness", "acc/ess", "钥匙"}) {
            assertThatThrownBy(() -> complete().setAccessKey(key).setSecretKey("s3cr3t").build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("rocketmq.client.access-key")
                    .hasMessageContaining("access key: " + key.length() + " characters")
                    .hasMessageContaining("expected: printable ASCII")
                    .satisfies(e -> assertThat(e.toString()).doesNotContain(key, "s3cr3t"));
        }
    }

    @Test
    void aMainTopicWithADotIsRefusedByNameAsTheServerWouldSoNoMetricNameNeedsQuoting() {
        // beside case 60
        assertThatThrownBy(() -> complete().setMainTopic("a.b").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("rocketmq.source.main-topic: 'a.b' (expected: ");
    }

    @Test
    void theSourceIsSerializable() throws Exception {
        RocketMQGrpcSource<String> source = complete().build();

        assertThat(InstantiationUtil.clone(source)).hasToString(source.toString());
    }

    @Test
    void everyGoodValueIsTaken() {
        complete()
                .setNamespace(null)
                .setNamespace("ns")
                .setRequestTimeout(Duration.ofSeconds(5))
                .setFetchConcurrency(4)
                .setAwaitDuration(Duration.ofSeconds(10))
                .setInvisibleDuration(Duration.ofMinutes(5))
                .setMaxMessageNum(16)
                .setMaxQueuedBytes(MemorySize.ofMebiBytes(8))
                .setRenewalAheadTime(Duration.ofSeconds(10))
                .setTlsEnabled(false)
                .build();
    }

    @ParameterizedTest
    @MethodSource("badValues")
    void everySetterReachesItsOption(
            String key, Consumer<RocketMQGrpcSourceBuilder<String>> setter) {
        // beside case 36
        RocketMQGrpcSourceBuilder<String> builder = complete();
        setter.accept(builder);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining("expected: ");
    }

    private static Arguments bad(String key, Consumer<RocketMQGrpcSourceBuilder<String>> setter) {
        return Arguments.of(key, setter);
    }

    private static Stream<Arguments> badValues() {
        return Stream.of(
                bad("rocketmq.client.endpoints", b -> b.setEndpoints("host:0")),
                bad("rocketmq.client.namespace", b -> b.setNamespace("a b")),
                bad("rocketmq.client.access-key", b -> b.setAccessKey("key")),
                bad("rocketmq.client.secret-key", b -> b.setSecretKey("key")),
                bad("rocketmq.client.security-token", b -> b.setSecurityToken("token")),
                bad(
                        "rocketmq.client.credentials-resolver-class",
                        b ->
                                b.setCredentialsResolverClass("a.B")
                                        .setAccessKey("key")
                                        .setSecretKey("secret")),
                bad(
                        "rocketmq.client.credentials.directory",
                        b -> b.setCredentialsDirectory("/secrets")),
                bad("rocketmq.client.tls-enabled", b -> b.setTlsEnabled(true)),
                bad(
                        "rocketmq.client.tls-trust-certificates",
                        b -> b.setTlsTrustCertificates("ca.pem")),
                bad("rocketmq.client.tls-verify", b -> b.setTlsVerify(false)),
                bad(
                        "rocketmq.client.tls-client-certificate",
                        b -> b.setTlsClientCertificate("c.pem")),
                bad("rocketmq.client.tls-client-key", b -> b.setTlsClientKey("k.pem")),
                bad("rocketmq.client.request-timeout", b -> b.setRequestTimeout(Duration.ZERO)),
                bad("rocketmq.source.main-topic", b -> b.setMainTopic("a topic")),
                bad("rocketmq.source.consumer-group", b -> b.setConsumerGroup(" ")),
                bad("rocketmq.source.fetch-concurrency", b -> b.setFetchConcurrency(0)),
                bad(
                        "rocketmq.source.await-duration",
                        b -> b.setAwaitDuration(Duration.ofSeconds(4))),
                bad(
                        "rocketmq.source.invisible-duration",
                        b -> b.setInvisibleDuration(Duration.ofSeconds(9))),
                bad("rocketmq.source.max-message-num", b -> b.setMaxMessageNum(33)),
                bad(
                        "rocketmq.source.max-queued-bytes",
                        b -> b.setMaxQueuedBytes(MemorySize.ofMebiBytes(1))),
                bad("rocketmq.source.renewal-policy-class", b -> b.setRenewalPolicyClass(" ")),
                bad(
                        "rocketmq.source.renewal-ahead-time",
                        b -> b.setRenewalAheadTime(Duration.ofMinutes(2))),
                bad(
                        "rocketmq.source.renewal-max-duration",
                        b -> b.setRenewalMaxDuration(Duration.ofHours(13))),
                bad("rocketmq.source.withdraw-after", b -> b.setWithdrawAfter(Duration.ZERO)),
                bad(
                        "rocketmq.source.deserialization-retry-delay",
                        b -> b.setDeserializationRetryDelay(Duration.ofSeconds(5))),
                bad(
                        "rocketmq.source.deserialization-max-attempts",
                        b ->
                                b.setDeserializationFailurePolicy(
                                                DeserializationFailurePolicy.RETRY_LATER)
                                        .setDeserializationMaxAttempts(0)),
                bad(
                        "rocketmq.source.deserialization-skip-after-retries",
                        b ->
                                b.setDeserializationFailurePolicy(DeserializationFailurePolicy.SKIP)
                                        .setDeserializationSkipAfterRetries(true)),
                bad(
                        "rocketmq.source.bounded-by-idle",
                        b -> b.setBoundedByIdle(Duration.ofMillis(999))));
    }

    @Test
    void everyClientAndSourceOptionHasASetter() {
        Set<String> setters =
                Arrays.stream(RocketMQGrpcSourceBuilder.class.getMethods())
                        .map(method -> method.getName().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
        List<String> expected =
                Stream.of(RocketMQGrpcClientOptions.class, RocketMQGrpcSourceOptions.class)
                        .flatMap(c -> Arrays.stream(c.getFields()))
                        .map(option -> "set" + option.getName().toLowerCase(Locale.ROOT))
                        .map(name -> name.replace("_", ""))
                        .collect(Collectors.toList());

        assertThat(setters).containsAll(expected);
    }

    @Test
    void optionsCanComeFromAConfiguration() {
        Configuration options = new Configuration();
        options.setString("rocketmq.client.endpoints", "127.0.0.1:8081");
        options.setString("rocketmq.source.consumer-group", "GID-lite");
        options.setString("rocketmq.source.main-topic", "LiteMainTopic");
        options.setString("rocketmq.source.fetch-concurrency", "4");
        options.setString("rocketmq.ack.order", "none");
        options.setString("execution.parallelism", "4");

        assertThat(
                        RocketMQGrpcSource.<String>builder()
                                .setConfiguration(options)
                                .setValueOnlyDeserializer(new SimpleStringSchema())
                                .build())
                .hasToString(complete().build().toString());
    }

    @Test
    void anUnknownOptionIsRefusedWithTheNearestKnownOne() {
        Configuration options = new Configuration();
        options.setString("rocketmq.source.fetch-concurency", "4");

        assertThatThrownBy(() -> complete().setConfiguration(options).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "rocketmq.source.fetch-concurency: unknown option (did you mean"
                                + " rocketmq.source.fetch-concurrency?)");
    }

    @Test
    void aMissingDeserializerIsNamed() {
        assertThatThrownBy(
                        () ->
                                RocketMQGrpcSource.<String>builder()
                                        .setEndpoints("127.0.0.1:8081")
                                        .setConsumerGroup("GID-lite")
                                        .setMainTopic("LiteMainTopic")
                                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("deserializer: not set");
    }

    @Test
    void theSchemaIsOpenedWithMetricsAndUserClassLoader() throws Exception {
        OpenedSchema schema = new OpenedSchema();
        complete()
                .setValueOnlyDeserializer(schema)
                .build()
                .createReader(
                        new FakeReaderContext(new Configuration(), new CountedMetrics().group()))
                .close();

        assertThat(schema.context.getMetricGroup()).isNotNull();
        assertThat(schema.context.getUserCodeClassLoader().asClassLoader())
                .isSameAs(getClass().getClassLoader());
    }

    /** Remembers what it was opened with. */
    private static final class OpenedSchema extends SimpleStringSchema {
        private static final long serialVersionUID = 1L;
        private transient DeserializationSchema.InitializationContext context;

        @Override
        public void open(DeserializationSchema.InitializationContext opened) {
            context = opened;
        }
    }
}
