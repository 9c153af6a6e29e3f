/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values at and over the edge, for every configuration object. */
class ConfigTest {

    @Test
    void theRequiredOptionsAreEnoughForASource() throws Exception {
        SourceConfig config = SourceConfig.from(sourceWith("", ""));

        assertThat(config.endpoints()).isEqualTo("127.0.0.1:8081");
        assertThat(config.namespace()).isEmpty();
        assertThat(config.mainTopic()).isEqualTo("LiteMainTopic");
        assertThat(config.consumerGroup()).isEqualTo("GID-lite");
        assertThat(config.fetchConcurrency()).isEqualTo(1);
        assertThat(config.maxMessageNum()).isEqualTo(32);
        assertThat(config.invisibleDuration()).isEqualTo(Duration.ofSeconds(60));
        assertThat(config.maxQueuedBytes()).isEqualTo(64L << 20);
        assertThat(config.toSubscription().awaitDuration()).isEqualTo(Duration.ofSeconds(20));
        assertThat(config.toLiteClientConfig().requestTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(InstantiationUtil.clone(config).toString()).isEqualTo(config.toString());
    }

    @Test
    void nothingIsRequiredToAcknowledge() {
        AckConfig config = AckConfig.from(new Configuration());

        assertThat(config.maxInFlight()).isEqualTo(1024);
        assertThat(config.order()).isEqualTo(AckOrder.AUTO);
        assertThat(config.orderTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.closeTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config).isEqualTo(AckConfig.from(new Configuration()));
        assertThat(config)
                .isNotEqualTo(AckConfig.from(only("rocketmq.ack.max-in-flight", "7")))
                .isNotEqualTo(AckConfig.from(only("rocketmq.client.request-timeout", "4 s")));
    }

    @Test
    void nothingIsRequiredToThrottle() {
        ThrottleConfig config = ThrottleConfig.from(new Configuration());

        assertThat(config.maxDeliveryAttempt()).isEqualTo(16);
        assertThat(config.maxInvisibleDuration()).isEqualTo(Duration.ofMinutes(30));
        assertThat(config.maxAge()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rocketmq.client.endpoints|a:1;b:2",
                "rocketmq.client.endpoints|[::1]:8081",
                "rocketmq.client.namespace|ns",
                "rocketmq.client.request-timeout|100 ms",
                "rocketmq.client.tls-enabled|false",
                "rocketmq.source.fetch-concurrency|1",
                "rocketmq.source.fetch-concurrency|256",
                "rocketmq.source.await-duration|5 s",
                "rocketmq.source.invisible-duration|10 s",
                "rocketmq.source.invisible-duration|12 h",
                "rocketmq.source.max-message-num|1",
                "rocketmq.source.max-message-num|32",
                "rocketmq.source.max-queued-bytes|4 mb",
                "rocketmq.source.renewal-ahead-time|59 s",
                "rocketmq.source.renewal-policy-class|a.B",
                "rocketmq.source.renewal-max-duration|60 s",
                "rocketmq.source.renewal-max-duration|12 h",
                "rocketmq.source.release-on-close|false",
                "rocketmq.source.withdraw-after|1 s",
                "rocketmq.source.withdraw-after|1 h",
            })
    void aValueAtTheEdgeOfASourceIsAccepted(String key, String value) {
        assertThat(SourceConfig.from(sourceWith(key, value))).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rocketmq.client.endpoints|' '|rocketmq.client.endpoints: not set",
                "rocketmq.client.endpoints|a:b:c|more than one colon",
                "rocketmq.client.endpoints|a:0|port 0 is not in 1 to 65535",
                "rocketmq.client.namespace|租户|printable ASCII",
                "rocketmq.client.request-timeout|0 s|(expected: 100 ms to 5 min)",
                "rocketmq.client.request-timeout|-1 s|expected",
                "rocketmq.client.request-timeout|soon|(expected: 100 ms to 5 min)",
                "rocketmq.source.main-topic|' '|rocketmq.source.main-topic: not set",
                "rocketmq.source.main-topic|a b|'a b' (expected: 1 to 127 of letters",
                "rocketmq.source.consumer-group|' '|rocketmq.source.consumer-group: not set",
                "rocketmq.source.consumer-group|a/b|'a/b' (expected: 1 to 120 of letters",
                "rocketmq.source.fetch-concurrency|0|0 (expected: 1 to 256)",
                "rocketmq.source.fetch-concurrency|257|257 (expected: 1 to 256)",
                "rocketmq.source.fetch-concurrency|x|(expected: 1 to 256)",
                "rocketmq.source.await-duration|1 s|1 s (expected: 5 s to 5 min)",
                "rocketmq.source.invisible-duration|5 s|5 s (expected: 10 s to 12 h)",
                "rocketmq.source.invisible-duration|9999 ms|9999 ms (expected: 10 s to 12 h)",
                "rocketmq.source.invisible-duration|13 h|13 h (expected: 10 s to 12 h)",
                "rocketmq.source.max-message-num|0|0 (expected: 1 to 32)",
                "rocketmq.source.max-message-num|33|33 (expected: 1 to 32)",
                "rocketmq.source.max-queued-bytes|1 mb|expected: at least 4",
                "rocketmq.source.renewal-ahead-time|60 s|less than rocketmq.source.invisible",
                "rocketmq.source.renewal-ahead-time|0 s|more than 0",
                "rocketmq.source.renewal-policy-class|' '|' ' (expected: the name of a class",
                "rocketmq.source.renewal-max-duration|59 s|which is 1 min, to 12 h",
                "rocketmq.source.renewal-max-duration|13 h|13 h (expected: rocketmq.source.inv",
                "rocketmq.source.release-on-close|perhaps|(expected: true or false)",
                "rocketmq.source.withdraw-after|999 ms|999 ms (expected: 1 s to 1 h, or not set)",
                "rocketmq.source.withdraw-after|61 min|61 min (expected: 1 s to 1 h, or not set)",
                "rocketmq.source.withdraw-after|soon|(expected: 1 s to 1 h, or not set)",
            })
    void aValueOverTheEdgeOfASourceIsRefusedByName(String key, String value, String reason) {
        assertThatThrownBy(() -> SourceConfig.from(sourceWith(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining(reason);
    }

    @Test
    void theCapOfRenewalsFollowsALongInvisibleDurationUnlessItIsSet() {
        SourceConfig config =
                SourceConfig.from(sourceWith("rocketmq.source.invisible-duration", "2 h"));

        assertThat(config.waiting().renewalMaxDuration()).isEqualTo(Duration.ofHours(2));
        assertThat(config.waiting().releaseOnClose()).isTrue();
        assertThat(config.waiting().withdrawAfter()).isEmpty();
        assertThat(config.waiting().renewalPolicyClass()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "rocketmq.client.tls-trust-certificates",
        "rocketmq.client.tls-client-certificate",
        "rocketmq.client.tls-client-key"
    })
    void whatThisVersionCannotHonourIsRefusedWithoutShowingTheValue(String key) {
        assertThatThrownBy(() -> SourceConfig.from(sourceWith(key, "s3cr3t")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": set, but this version has no ")
                .hasMessageNotContaining("s3cr3t");
        assertThatThrownBy(() -> AckConfig.from(only(key, "s3cr3t")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": set, but this version has no ")
                .hasMessageNotContaining("s3cr3t");
    }

    @Test
    void tlsIsRefusedRatherThanIgnored() {
        assertThatThrownBy(() -> AckConfig.from(only("rocketmq.client.tls-enabled", "true")))
                .hasMessage(
                        "rocketmq.client.tls-enabled: set, but this version has no TLS (expected:"
                                + " not set)");
        assertThatThrownBy(() -> AckConfig.from(only("rocketmq.client.tls-verify", "false")))
                .hasMessageStartingWith("rocketmq.client.tls-verify: set");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rocketmq.ack.max-in-flight|0|0 (expected: 1 to 1000000)",
                "rocketmq.ack.order|sideways|(expected: one of [auto, lite-topic, none])",
                "rocketmq.ack.order-timeout|-1 s|expected: 0 ms to 12 h",
                "rocketmq.ack.close-timeout|11 min|11 min (expected: 0 ms to 10 min)",
            })
    void aValueOverTheEdgeOfAnAckIsRefusedByName(String key, String value, String reason) {
        assertThatThrownBy(() -> AckConfig.from(only(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rocketmq.throttle.max-delivery-attempt|0|0 (expected: 1 to 2147483647)",
                "rocketmq.throttle.max-invisible-duration|0 s|0 ms (expected: 1 ms to 12 h)",
                "rocketmq.throttle.max-invisible-duration|13 h|13 h (expected: 1 ms to 12 h)",
                "rocketmq.throttle.max-age|0 s|0 ms (expected: more than 0)",
            })
    void aValueOverTheEdgeOfAThrottleIsRefusedByName(String key, String value, String reason) {
        assertThatThrownBy(() -> ThrottleConfig.from(only(key, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(key + ": ")
                .hasMessageContaining(reason);
    }

    private static Configuration sourceWith(String key, String value) {
        Map<String, String> values = new HashMap<>();
        values.put("rocketmq.client.endpoints", "127.0.0.1");
        values.put("rocketmq.source.main-topic", "LiteMainTopic");
        values.put("rocketmq.source.consumer-group", "GID-lite");
        if (!key.isEmpty()) {
            values.put(key, value);
        }
        return Configuration.fromMap(values);
    }

    private static Configuration only(String key, String value) {
        Map<String, String> values = new HashMap<>();
        values.put(key, value);
        return Configuration.fromMap(values);
    }
}
