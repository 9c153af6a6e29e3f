/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Address;
import apache.rocketmq.v2.AddressScheme;
import apache.rocketmq.v2.Endpoints;
import apache.rocketmq.v2.Language;
import apache.rocketmq.v2.Resource;
import apache.rocketmq.v2.UA;
import com.google.protobuf.Duration;

/** The small parts that requests are put together from. Stateless. */
final class Requests {

    private Requests() {}

    /** A topic or group. */
    static Resource resource(String namespace, String name) {
        return Resource.newBuilder().setResourceNamespace(namespace).setName(name).build();
    }

    /** A duration. */
    static Duration duration(java.time.Duration duration) {
        return Duration.newBuilder()
                .setSeconds(duration.getSeconds())
                .setNanos(duration.getNano())
                .build();
    }

    /** One address as the server expects to see the access point of a client. */
    static Endpoints accessPoint(org.apache.rocketmq.grpc.lite.Endpoints.Address address) {
        return Endpoints.newBuilder()
                .setScheme(scheme(address.host()))
                .addAddresses(Address.newBuilder().setHost(address.host()).setPort(address.port()))
                .build();
    }

    /** What the client says of itself. */
    static UA userAgent() {
        return UA.newBuilder()
                .setLanguage(Language.JAVA)
                .setVersion(RequestHeaders.CLIENT_VERSION)
                .setPlatform(System.getProperty("os.name", "unknown"))
                .setHostname(ClientIds.hostName())
                .build();
    }

    private static AddressScheme scheme(String host) {
        if (host.indexOf(':') >= 0) {
            return AddressScheme.IPv6;
        }
        boolean digits = host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
        return digits ? AddressScheme.IPv4 : AddressScheme.DOMAIN_NAME;
    }
}
