/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * The one place that decides what a failure means: fatal, transient or stale handle.
 *
 * <p>Many codes say "wrong name" as well as "the broker that knows the name is away": while a
 * broker restarts, server 5.5.0 answers TOPIC_NOT_FOUND, ILLEGAL_CONSUMER_GROUP,
 * INVALID_RECEIPT_HANDLE and MESSAGE_PROPERTY_CONFLICT_WITH_TYPE for things that are right. So
 * those are final only until a client succeeded for the first time.
 */
final class ErrorClassifier {

    private static final Set<Code> ALWAYS_FATAL =
            EnumSet.of(
                    Code.UNAUTHORIZED,
                    Code.PAYMENT_REQUIRED,
                    Code.ILLEGAL_ACCESS_POINT,
                    Code.ILLEGAL_MESSAGE_TAG,
                    Code.ILLEGAL_MESSAGE_KEY,
                    Code.ILLEGAL_MESSAGE_GROUP,
                    Code.ILLEGAL_MESSAGE_PROPERTY_KEY,
                    Code.INVALID_TRANSACTION_ID,
                    Code.ILLEGAL_MESSAGE_ID,
                    Code.ILLEGAL_FILTER_EXPRESSION,
                    Code.ILLEGAL_INVISIBLE_TIME,
                    Code.ILLEGAL_DELIVERY_TIME,
                    Code.ILLEGAL_OFFSET,
                    Code.ILLEGAL_LITE_TOPIC,
                    Code.CLIENT_ID_REQUIRED,
                    Code.PAYLOAD_TOO_LARGE,
                    Code.MESSAGE_BODY_TOO_LARGE,
                    Code.MESSAGE_BODY_EMPTY,
                    Code.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    Code.MESSAGE_PROPERTIES_TOO_LARGE,
                    Code.NOT_IMPLEMENTED,
                    Code.UNSUPPORTED,
                    Code.VERSION_UNSUPPORTED,
                    Code.VERIFY_FIFO_MESSAGE_UNSUPPORTED);

    private static final Set<Code> FATAL_AT_FIRST =
            EnumSet.of(
                    Code.BAD_REQUEST,
                    Code.MESSAGE_PROPERTY_CONFLICT_WITH_TYPE,
                    Code.ILLEGAL_TOPIC,
                    Code.ILLEGAL_CONSUMER_GROUP,
                    Code.NOT_FOUND,
                    Code.TOPIC_NOT_FOUND,
                    Code.CONSUMER_GROUP_NOT_FOUND);

    private static final Set<Status.Code> FATAL_STATUS_AT_FIRST =
            EnumSet.of(
                    Status.Code.INVALID_ARGUMENT,
                    Status.Code.NOT_FOUND,
                    Status.Code.FAILED_PRECONDITION,
                    Status.Code.UNIMPLEMENTED);

    private ErrorClassifier() {}

    /**
     * For a code in an answer.
     *
     * @param code not OK
     * @param text what the server said beside the code
     * @param established whether the client succeeded before
     */
    static ErrorKind ofCode(Code code, String text, boolean established) {
        String said = text.toLowerCase(Locale.ROOT);
        if (code == Code.INVALID_RECEIPT_HANDLE) {
            return said.contains("cannot find broker")
                    ? ErrorKind.TRANSIENT
                    : ErrorKind.STALE_HANDLE;
        }
        if (code == Code.FORBIDDEN) {
            boolean brokerAway = established && said.contains("no readable");
            return brokerAway ? ErrorKind.TRANSIENT : ErrorKind.FATAL;
        }
        if (code == Code.BAD_REQUEST && said.contains("disconnect")) {
            return ErrorKind.TRANSIENT;
        }
        boolean fatal =
                ALWAYS_FATAL.contains(code) || (!established && FATAL_AT_FIRST.contains(code));
        return fatal ? ErrorKind.FATAL : ErrorKind.TRANSIENT;
    }

    /** For a call that ended with a gRPC status instead of an answer. */
    static ErrorKind ofStatus(Status.Code status, boolean established) {
        boolean fatal =
                status == Status.Code.UNAUTHENTICATED
                        || status == Status.Code.PERMISSION_DENIED
                        || (!established && FATAL_STATUS_AT_FIRST.contains(status));
        return fatal ? ErrorKind.FATAL : ErrorKind.TRANSIENT;
    }

    /** Whether a failure says that the proxy has no session of this client. */
    static boolean saysForgotten(RpcException failure) {
        String text = failure.getMessage();
        return failure.code().equals(Code.UNRECOGNIZED_CLIENT_TYPE.name())
                || (failure.code().equals(Code.BAD_REQUEST.name()) && text.contains("disconnect"))
                || (failure.code().equals(Code.INTERNAL_SERVER_ERROR.name())
                        && text.contains("settings"));
    }
}
