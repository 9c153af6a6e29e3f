/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** Keys or a resolver, whole or not at all, and never shown. */
class CredentialsConfigTest {

    private static final String ACCESS = "rocketmq.client.access-key";
    private static final String SECRET = "rocketmq.client.secret-key";
    private static final String TOKEN = "rocketmq.client.security-token";
    private static final String RESOLVER = "rocketmq.client.credentials-resolver-class";
    private static final String DIRECTORY = "rocketmq.client.credentials.directory";

    @Test
    void accessKeyAndSecretKeyGoTogether() {
        refused(Map.of(ACCESS, "ak-1"), ACCESS + ": set (expected: ");
        refused(Map.of(SECRET, "s3cr3t"), SECRET + ": set (expected: ");
        refused(Map.of(TOKEN, "s3cr3t"), TOKEN + ": set (expected: ");
        refused(Map.of(ACCESS, "ak-1", SECRET, "  "), ACCESS + ": set (expected: ");
    }

    @Test
    void keysAndResolverExcludeEachOther() {
        refused(Map.of(ACCESS, "ak-1", SECRET, "s3cr3t", RESOLVER, "a.B"), RESOLVER + ": a.B");
    }

    @Test
    void optionsOfAResolverNeedOne() {
        refused(Map.of(DIRECTORY, "/secrets"), DIRECTORY + ": set (expected: not set without");
        assertThat(
                        config(Map.of(DIRECTORY, "/secrets", RESOLVER, "a.B", "other", "x"))
                                .identity()
                                .resolverOptions())
                .containsOnly(Map.entry(DIRECTORY, "/secrets"));
    }

    @Test
    void keysThatAHeaderCannotCarryAreRefusedWithoutShowingThem() {
        assertThatThrownBy(() -> config(Map.of(ACCESS, "ak/1", SECRET, "s3cr3t")))
                .hasMessageStartingWith(ACCESS)
                .hasMessageContaining("expected: printable ASCII")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("ak/1", "s3cr3t"));
    }

    @Test
    void configurationsWithDifferentSecretsAreNeverEqual() {
        ClientConfig one = config(Map.of(ACCESS, "ak-1", SECRET, "secret-1"));
        ClientConfig same = config(Map.of(ACCESS, "ak-1", SECRET, "secret-1"));

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one).isNotEqualTo(config(Map.of(ACCESS, "ak-1", SECRET, "secret-2")));
        assertThat(one)
                .isNotEqualTo(config(Map.of(ACCESS, "ak-1", SECRET, "secret-1", TOKEN, "t")));
        assertThat(one).isNotEqualTo(config(Map.of()));
        assertThat(config(Map.of(RESOLVER, "a.B")))
                .isNotEqualTo(config(Map.of(RESOLVER, "a.B", DIRECTORY, "/x")));
    }

    @Test
    void noConfigurationShowsItsKeys() {
        Configuration options =
                Configuration.fromMap(
                        Map.of(
                                ACCESS,
                                "ak-1",
                                SECRET,
                                "s3cr3t",
                                TOKEN,
                                "t0ken",
                                "rocketmq.client.endpoints",
                                "host:1",
                                "rocketmq.source.main-topic",
                                "topic",
                                "rocketmq.source.consumer-group",
                                "group"));

        assertThat(ClientConfig.from(options).toString()).doesNotContain("ak-1", "s3cr3t", "t0ken");
        assertThat(AckConfig.from(options).toString()).doesNotContain("ak-1", "s3cr3t", "t0ken");
        assertThat(SourceConfig.from(options).toString()).doesNotContain("ak-1", "s3cr3t", "t0ken");
        assertThat(SourceConfig.from(options).toLiteClientConfig().toString())
                .doesNotContain("ak-1", "s3cr3t", "t0ken");
    }

    private static void refused(Map<String, String> options, String start) {
        assertThatThrownBy(() -> config(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(start)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("s3cr3t", "ak-1"));
    }

    private static ClientConfig config(Map<String, String> options) {
        return ClientConfig.from(Configuration.fromMap(options));
    }
}
