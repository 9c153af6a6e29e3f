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

        assertThat(Patience.isWorthAnotherTry(topic, Duration.ZERO)).isTrue();
        assertThat(Patience.isWorthAnotherTry(group, Duration.ofMillis(2999))).isTrue();
        assertThat(Patience.isWorthAnotherTry(topic, Patience.NOT_FOUND)).isFalse();
        assertThat(Patience.isWorthAnotherTry(group, Patience.NOT_FOUND)).isFalse();
    }

    @Test
    void otherRefusalsAreFinal() {
        assertThat(
                        Patience.isWorthAnotherTry(
                                refusal("UNAUTHORIZED", "no such key"), Duration.ZERO))
                .isFalse();
        assertThat(
                        Patience.isWorthAnotherTry(
                                refusal("INVALID_ARGUMENT", "regular group"), Duration.ZERO))
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
