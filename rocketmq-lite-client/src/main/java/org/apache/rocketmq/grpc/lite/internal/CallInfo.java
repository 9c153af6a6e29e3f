/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Status;
import io.grpc.StatusRuntimeException;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/** Identity of one call, and the only place that turns a failure of it into an exception. */
final class CallInfo {

    /** Code of a call that was ended, or never made, because the client is closed. */
    static final String CLOSED = "CLOSED";

    private static final int MAX_TEXT = 500;
    private static final int MAX_MESSAGE = 900;

    private final String rpc;
    private final String requestId;
    private final String endpoint;
    private final ClientAccess access;
    private volatile Credentials signedWith;

    /**
     * @param rpc short name, {@code ReceiveMessage}
     * @param requestId as sent to the server; empty if nothing was sent
     * @param endpoint {@code host:port}
     * @param access how it is signed
     */
    CallInfo(String rpc, String requestId, String endpoint, ClientAccess access) {
        this.rpc = rpc;
        this.requestId = requestId;
        this.endpoint = endpoint;
        this.access = access;
    }

    /** Short name of the RPC. */
    String rpc() {
        return rpc;
    }

    /** Id of the request as sent; empty if nothing was sent. */
    String requestId() {
        return requestId;
    }

    /** It leaves with this signature; called before it does. */
    void signedWith(Credentials credentials) {
        signedWith = credentials;
    }

    /** The server answered with a code that is not OK. */
    RpcException refused(Status status, boolean established) {
        Code code = status.getCode();
        String name = code == Code.UNRECOGNIZED ? "code " + status.getCodeValue() : code.name();
        ErrorKind kind = ErrorClassifier.ofCode(code, status.getMessage(), established);
        return refusal(kind, name, status.getMessage(), null);
    }

    /** The call ended without an answer. */
    RpcException failed(Throwable cause, boolean established) {
        if (cause instanceof RpcException) {
            return (RpcException) cause;
        }
        if (cause instanceof StatusRuntimeException) {
            io.grpc.Status status = ((StatusRuntimeException) cause).getStatus();
            ErrorKind kind = ErrorClassifier.ofStatus(status.getCode(), established);
            return refusal(kind, status.getCode().name(), describe(status), cause);
        }
        return failure(ErrorKind.TRANSIENT, "UNKNOWN", String.valueOf(cause), cause);
    }

    private RpcException refusal(ErrorKind kind, String code, String text, Throwable cause) {
        String hint = access.hint(code, text);
        return failure(
                access.judge(kind, code, signedWith),
                code,
                shorten(text, MAX_TEXT) + (hint.isEmpty() ? "" : ". " + hint),
                cause);
    }

    /** A failure of another origin. */
    RpcException failure(ErrorKind kind, String code, String text, Throwable cause) {
        String id = requestId.isEmpty() ? "" : ", request " + requestId;
        String said = shorten(text, MAX_MESSAGE);
        String message = rpc + " at " + endpoint + ": " + code + " (" + said + ")" + id;
        return new RpcException(kind, code, requestId, endpoint, message, cause);
    }

    private static String describe(io.grpc.Status status) {
        String text = status.getDescription() == null ? "" : status.getDescription();
        Throwable cause = status.getCause();
        return cause == null ? text : text + "; " + cause;
    }

    /** What a server says can hold stack traces; the first lines tell enough. */
    private static String shorten(String text, int length) {
        String line = text.replaceAll("\\s+", " ").trim();
        return line.length() <= length ? line : line.substring(0, length) + "…";
    }
}
