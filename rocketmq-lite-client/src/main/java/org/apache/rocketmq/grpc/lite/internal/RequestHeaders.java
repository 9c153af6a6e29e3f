/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import io.grpc.Metadata;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The metadata that every request carries. Immutable. */
final class RequestHeaders {

    /** Version of the client protocol that the client announces. */
    static final String CLIENT_VERSION = "5.2.1";

    /** Name of the header that carries {@link #now}. */
    static final String DATE_HEADER = "x-mq-date-time";

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final Metadata.Key<String> CLIENT_ID = key("x-mq-client-id");
    private static final Metadata.Key<String> LANGUAGE = key("x-mq-language");
    private static final Metadata.Key<String> PROTOCOL = key("x-mq-protocol");
    private static final Metadata.Key<String> VERSION = key("x-mq-client-version");
    private static final Metadata.Key<String> NAMESPACE = key("x-mq-namespace");
    private static final Metadata.Key<String> REQUEST_ID = key("x-mq-request-id");
    private static final Metadata.Key<String> DATE_TIME = key(DATE_HEADER);

    private final String clientId;
    private final String namespace;

    RequestHeaders(String clientId, String namespace) {
        this.clientId = clientId;
        this.namespace = namespace;
    }

    /** The date of a request that leaves now. */
    static String now() {
        return DATE.format(Instant.now());
    }

    /**
     * The headers of one request.
     *
     * @param date of {@link #now}
     */
    Metadata create(String requestId, String date) {
        Metadata headers = new Metadata();
        headers.put(CLIENT_ID, clientId);
        headers.put(LANGUAGE, "JAVA");
        headers.put(PROTOCOL, "v2");
        headers.put(VERSION, CLIENT_VERSION);
        headers.put(NAMESPACE, namespace);
        headers.put(REQUEST_ID, requestId);
        headers.put(DATE_TIME, date);
        return headers;
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }
}
