/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.ClientType;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * Which client type each proxy address takes, as found out by being refused.
 *
 * <p>Server 5.5.0 refuses LITE_SIMPLE_CONSUMER and takes LITE_PUSH_CONSUMER with the very same
 * RPCs; newer ones take both. Used on the I/O thread; as many entries as there are addresses.
 */
final class ServerCapabilities {

    private final List<ClientType> types;
    private final Map<Endpoints.Address, Integer> refusals = new HashMap<>();

    /**
     * @param types to try, the preferred one first
     */
    ServerCapabilities(List<ClientType> types) {
        this.types = List.copyOf(types);
    }

    /** The type to introduce the client with. */
    ClientType typeFor(Endpoints.Address address) {
        return types.get(refusals.getOrDefault(address, 0));
    }

    /**
     * Takes note of a failed handshake.
     *
     * @return true if the failure was about the client type and another type is left to try
     */
    boolean tryNextType(Endpoints.Address address, RpcException failure) {
        int next = refusals.getOrDefault(address, 0) + 1;
        if (!isTypeRefusal(failure) || next >= types.size()) {
            return false;
        }
        refusals.put(address, next);
        return true;
    }

    /** Whether the server refused the client for its type. */
    static boolean isTypeRefusal(RpcException failure) {
        if (failure.code().equals("UNRECOGNIZED_CLIENT_TYPE")) {
            return true;
        }
        String text = failure.getMessage().toLowerCase(Locale.ROOT);
        return text.contains("client type") || text.contains("clienttype");
    }
}
