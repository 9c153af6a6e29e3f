/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The configuration as a value. */
class LiteClientConfigTest {

    private final Endpoints endpoints = Endpoints.parse("127.0.0.1:8081");

    @Test
    void onlyTheEndpointsAreRequired() {
        LiteClientConfig config = LiteClientConfig.builder().endpoints(endpoints).build();
        assertThat(config.namespace()).isEmpty();
        assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThatThrownBy(() -> LiteClientConfig.builder().build())
                .isInstanceOf(NullPointerException.class)
                .hasMessage("endpoints");
    }

    @Test
    void noNamespaceAndAnEmptyOneAreTheSame() {
        LiteClientConfig none =
                LiteClientConfig.builder().endpoints(endpoints).namespace(null).build();
        LiteClientConfig empty =
                LiteClientConfig.builder().endpoints(endpoints).namespace("").build();
        assertThat(none).isEqualTo(empty).hasSameHashCodeAs(empty);
        assertThat(LiteClientConfig.builder().endpoints(endpoints).namespace("n").build())
                .isNotEqualTo(none);
    }

    @Test
    void aCopyDiffersInWhatWasAskedForAlone() {
        LiteClientConfig config =
                LiteClientConfig.builder()
                        .endpoints(endpoints)
                        .namespace("n")
                        .requestTimeout(Duration.ofSeconds(4))
                        .credentials(CredentialsProvider.of(Credentials.of("user", "secret")))
                        .build();
        LiteClientConfig patient = config.withStartPatience(Duration.ofMinutes(5));

        assertThat(patient).isNotEqualTo(config);
        assertThat(patient.startPatience()).isEqualTo(Duration.ofMinutes(5));
        assertThat(patient.withStartPatience(LiteClientConfig.DEFAULT_START_PATIENCE))
                .isEqualTo(config)
                .hasSameHashCodeAs(config);
        assertThat(patient.withCredentials(null).startPatience()).isEqualTo(Duration.ofMinutes(5));
        assertThatThrownBy(() -> config.withStartPatience(Duration.ZERO))
                .hasMessage("startPatience: PT0S (expected: more than 0)");
    }

    @Test
    void aTimeoutOfNothingIsRefused() {
        assertThatThrownBy(() -> LiteClientConfig.builder().requestTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("requestTimeout");
        assertThatThrownBy(() -> LiteClientConfig.builder().requestTimeout(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
