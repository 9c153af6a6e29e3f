/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite;

import java.util.Objects;

/**
 * A call that the server refused or that never got an answer.
 *
 * <p>The message names the RPC, the code, the endpoint, the request id and what the server said. It
 * never holds a secret, a payload or a whole receipt handle.
 */
public final class RpcException extends Exception {

    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final String code;
    private final String requestId;
    private final String endpoint;

    /**
     * @param kind what it means for the caller
     * @param code name of the protocol code ({@code TOPIC_NOT_FOUND}) or of the gRPC status ({@code
     *     UNAVAILABLE})
     * @param requestId id of the request as sent to the server; empty if none was sent
     * @param endpoint {@code host:port} that was called
     * @param message the whole sentence
     * @param cause may be null
     */
    public RpcException(
            ErrorKind kind,
            String code,
            String requestId,
            String endpoint,
            String message,
            Throwable cause) {
        super(message, cause);
        this.kind = Objects.requireNonNull(kind, "kind");
        this.code = Objects.requireNonNull(code, "code");
        this.requestId = Objects.requireNonNull(requestId, "requestId");
        this.endpoint = Objects.requireNonNull(endpoint, "endpoint");
    }

    /** What it means for the caller; never null. */
    public ErrorKind kind() {
        return kind;
    }

    /** Name of the protocol code or of the gRPC status; never null. */
    public String code() {
        return code;
    }

    /** Id of the request, empty if none was sent; never null. */
    public String requestId() {
        return requestId;
    }

    /** {@code host:port} that was called; never null. */
    public String endpoint() {
        return endpoint;
    }
}
