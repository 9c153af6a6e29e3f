/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.ClientType;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;

/** Which client type is tried when. */
class ServerCapabilitiesTest {

    private final Endpoints endpoints = Endpoints.parse("a:1;b:2");
    private final Endpoints.Address a = endpoints.addresses().get(0);
    private final Endpoints.Address b = endpoints.addresses().get(1);
    private final ServerCapabilities capabilities = new ServerCapabilities(ConsumerSettings.TYPES);

    // beside case 34
    @Test
    void aRefusedTypeIsFollowedByTheNextAndRemembered() {
        assertThat(capabilities.typeFor(a)).isEqualTo(ClientType.LITE_SIMPLE_CONSUMER);
        assertThat(capabilities.tryNextType(a, refusal())).isTrue();
        assertThat(capabilities.typeFor(a)).isEqualTo(ClientType.LITE_PUSH_CONSUMER);
        assertThat(capabilities.typeFor(b)).isEqualTo(ClientType.LITE_SIMPLE_CONSUMER);
    }

    // beside case 34
    @Test
    void whenEveryTypeIsRefusedNoneIsLeft() {
        capabilities.tryNextType(a, refusal());
        assertThat(capabilities.tryNextType(a, refusal())).isFalse();
        assertThat(ServerCapabilities.isTypeRefusal(refusal())).isTrue();
    }

    @Test
    void anotherFailureSaysNothingAboutTheType() {
        RpcException other =
                new RpcException(
                        ErrorKind.FATAL,
                        "INVALID_ARGUMENT",
                        "",
                        "a:1",
                        "regular group cannot use LITE mode: group",
                        null);
        assertThat(capabilities.tryNextType(a, other)).isFalse();
        assertThat(capabilities.typeFor(a)).isEqualTo(ClientType.LITE_SIMPLE_CONSUMER);
    }

    private static RpcException refusal() {
        return new RpcException(
                ErrorKind.TRANSIENT,
                "INTERNAL",
                "",
                "a:1",
                "Telemetry at a:1: INTERNAL (Client type is not consumer, type:"
                        + " LITE_SIMPLE_CONSUMER)",
                null);
    }
}
