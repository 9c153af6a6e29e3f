/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import java.util.UUID;

/**
 * Client ids. The broker keeps its state of a client by this id alone, so no two clients may ever
 * share one, not even one after the other.
 */
final class ClientIds {

    private static final String UNKNOWN_HOST = "localhost";

    private ClientIds() {}

    /** An id that was never used before: {@code host@pid@role@unique}. */
    static String next(String role) {
        return String.join(
                "@",
                hostName(),
                Long.toString(ProcessHandle.current().pid()),
                role,
                UUID.randomUUID().toString());
    }

    /** Name of this host as its environment tells it: a look-up in DNS could block. */
    static String hostName() {
        String name = System.getenv("HOSTNAME");
        boolean usable = name != null && name.matches("[A-Za-z0-9._-]{1,128}");
        return usable ? name : UNKNOWN_HOST;
    }
}
