/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;

/** What a handshake may take, and what a start asks again. */
class PatienceTest {

    @Test
    void theOnlyAddressGetsTheWholeStart() {
        assertThat(patience("host:1", 2).step(false)).isEqualTo(Patience.START);
        assertThat(patience("host:1", 20).step(false)).isEqualTo(Patience.START);
    }

    @Test
    void severalAddressesShareTheStart() {
        assertThat(patience("host:1;host:2;host:3", 20).step(false))
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(patience("host:1;host:2;host:3", 2).step(false))
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void laterASilentAddressOfSeveralDoesNotUseUpALongRequestTimeout() {
        assertThat(patience("host:1", 20).step(true)).isEqualTo(Duration.ofSeconds(20));
        assertThat(patience("host:1;host:2", 20).step(true)).isEqualTo(Patience.LONGEST_STEP);
        assertThat(patience("host:1;host:2", 2).step(true)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void whatABrokerSaysWhileItRestartsIsAskedAgainForAWhile() {
        RpcException topic = refusal("TOPIC_NOT_FOUND", "no route");
        RpcException group = refusal("INVALID_ARGUMENT", "Group not found: GID-x");

        assertThat(patience("host:1", 3).isWorthAnotherTry(topic, Duration.ZERO)).isTrue();
        assertThat(patience("host:1", 3).isWorthAnotherTry(group, Duration.ofMillis(2999)))
                .isTrue();
        assertThat(patience("host:1", 3).isWorthAnotherTry(topic, Patience.NOT_FOUND)).isFalse();
        assertThat(patience("host:1", 3).isWorthAnotherTry(group, Patience.NOT_FOUND)).isFalse();
    }

    @Test
    void aStartThatMayOutlastAnOutageAsksAgainForAllOfItButGivesNoStepMore() {
        Patience patient =
                new Patience(
                        LiteClientConfig.builder()
                                .endpoints(Endpoints.parse("host:1"))
                                .startPatience(Duration.ofMinutes(5))
                                .build());
        RpcException topic = refusal("TOPIC_NOT_FOUND", "no route");

        assertThat(patient.start()).isEqualTo(Duration.ofMinutes(5));
        assertThat(patient.step(false)).isEqualTo(Patience.START);
        assertThat(patient.isWorthAnotherTry(topic, Duration.ofMinutes(4))).isTrue();
        assertThat(patient.isWorthAnotherTry(topic, Duration.ofMinutes(5))).isFalse();
        assertThat(patient.isWorthAnotherTry(refusal("UNAUTHORIZED", "no"), Duration.ZERO))
                .isFalse();
    }

    @Test
    void otherRefusalsAreFinal() {
        assertThat(
                        patience("host:1", 3)
                                .isWorthAnotherTry(
                                        refusal("UNAUTHORIZED", "no such key"), Duration.ZERO))
                .isFalse();
        assertThat(
                        patience("host:1", 3)
                                .isWorthAnotherTry(
                                        refusal("INVALID_ARGUMENT", "regular group"),
                                        Duration.ZERO))
                .isFalse();
    }

    private static Patience patience(String endpoints, int requestTimeoutSeconds) {
        return new Patience(
                LiteClientConfig.builder()
                        .endpoints(Endpoints.parse(endpoints))
                        .requestTimeout(Duration.ofSeconds(requestTimeoutSeconds))
                        .build());
    }

    private static RpcException refusal(String code, String text) {
        return new RpcException(ErrorKind.FATAL, code, "", "host:1", text, null);
    }
}
