/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Status;
import io.grpc.StatusRuntimeException;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/** Identity of one call, and the only place that turns a failure of it into an exception. */
final class CallInfo {

    /** Code of a call that was ended, or never made, because the client is closed. */
    static final String CLOSED = "CLOSED";

    private static final int MAX_TEXT = 500;

    private final String rpc;
    private final String requestId;
    private final String endpoint;

    /**
     * @param rpc short name, {@code ReceiveMessage}
     * @param requestId as sent to the server; empty if nothing was sent
     * @param endpoint {@code host:port}
     */
    CallInfo(String rpc, String requestId, String endpoint) {
        this.rpc = rpc;
        this.requestId = requestId;
        this.endpoint = endpoint;
    }

    /** Short name of the RPC. */
    String rpc() {
        return rpc;
    }

    /** Id of the request as sent; empty if nothing was sent. */
    String requestId() {
        return requestId;
    }

    /** The server answered with a code that is not OK. */
    RpcException refused(Status status, boolean established) {
        Code code = status.getCode();
        String name = code == Code.UNRECOGNIZED ? "code " + status.getCodeValue() : code.name();
        ErrorKind kind = ErrorClassifier.ofCode(code, status.getMessage(), established);
        return failure(kind, name, status.getMessage(), null);
    }

    /** The call ended without an answer. */
    RpcException failed(Throwable cause, boolean established) {
        if (cause instanceof RpcException) {
            return (RpcException) cause;
        }
        if (cause instanceof StatusRuntimeException) {
            io.grpc.Status status = ((StatusRuntimeException) cause).getStatus();
            ErrorKind kind = ErrorClassifier.ofStatus(status.getCode(), established);
            return failure(kind, status.getCode().name(), describe(status), cause);
        }
        return failure(ErrorKind.TRANSIENT, "UNKNOWN", String.valueOf(cause), cause);
    }

    /** A failure of another origin. */
    RpcException failure(ErrorKind kind, String code, String text, Throwable cause) {
        String id = requestId.isEmpty() ? "" : ", request " + requestId;
        String message = rpc + " at " + endpoint + ": " + code + " (" + shorten(text) + ")" + id;
        return new RpcException(kind, code, requestId, endpoint, message, cause);
    }

    private static String describe(io.grpc.Status status) {
        String text = status.getDescription() == null ? "" : status.getDescription();
        Throwable cause = status.getCause();
        return cause == null ? text : text + "; " + cause;
    }

    /** What a server says can hold stack traces; the first lines tell enough. */
    private static String shorten(String text) {
        String line = text.replaceAll("\\s+", " ").trim();
        return line.length() <= MAX_TEXT ? line : line.substring(0, MAX_TEXT) + "…";
    }
}
