/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.apache.rocketmq.grpc.lite.ErrorKind.FATAL;
import static org.apache.rocketmq.grpc.lite.ErrorKind.STALE_HANDLE;
import static org.apache.rocketmq.grpc.lite.ErrorKind.TRANSIENT;
import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.Code;
import io.grpc.Status;
import java.util.EnumSet;
import java.util.Set;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every code of the protocol and every gRPC status, before and after the first success. */
class ErrorClassifierTest {

    private static final Set<Code> FATAL_ONLY_AT_FIRST =
            EnumSet.of(
                    Code.BAD_REQUEST,
                    Code.MESSAGE_PROPERTY_CONFLICT_WITH_TYPE,
                    Code.ILLEGAL_TOPIC,
                    Code.ILLEGAL_CONSUMER_GROUP,
                    Code.NOT_FOUND,
                    Code.TOPIC_NOT_FOUND,
                    Code.CONSUMER_GROUP_NOT_FOUND);

    /** Load, time, storage, a broker or a session that is away: all of it may pass. */
    private static final Set<Code> NEVER_FATAL =
            EnumSet.of(
                    Code.CODE_UNSPECIFIED,
                    Code.MULTIPLE_RESULTS,
                    Code.UNRECOGNIZED_CLIENT_TYPE,
                    Code.MESSAGE_CORRUPTED,
                    Code.ILLEGAL_POLLING_TIME,
                    Code.MESSAGE_NOT_FOUND,
                    Code.OFFSET_NOT_FOUND,
                    Code.REQUEST_TIMEOUT,
                    Code.PRECONDITION_FAILED,
                    Code.TOO_MANY_REQUESTS,
                    Code.LITE_TOPIC_QUOTA_EXCEEDED,
                    Code.LITE_SUBSCRIPTION_QUOTA_EXCEEDED,
                    Code.INTERNAL_ERROR,
                    Code.INTERNAL_SERVER_ERROR,
                    Code.HA_NOT_AVAILABLE,
                    Code.PROXY_TIMEOUT,
                    Code.MASTER_PERSISTENCE_TIMEOUT,
                    Code.SLAVE_PERSISTENCE_TIMEOUT,
                    Code.FAILED_TO_CONSUME_MESSAGE,
                    Code.UNRECOGNIZED);

    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"OK", "INVALID_RECEIPT_HANDLE"})
    void everyCodeHasItsKind(Code code) {
        boolean never = NEVER_FATAL.contains(code);
        boolean atFirst = FATAL_ONLY_AT_FIRST.contains(code);
        assertThat(ErrorClassifier.ofCode(code, "", false))
                .as("%s before the first success", code)
                .isEqualTo(never ? TRANSIENT : FATAL);
        assertThat(ErrorClassifier.ofCode(code, "", true))
                .as("%s after the first success", code)
                .isEqualTo(never || atFirst ? TRANSIENT : FATAL);
    }

    @ParameterizedTest
    @CsvSource({
        "CANCELLED, TRANSIENT, TRANSIENT",
        "UNKNOWN, TRANSIENT, TRANSIENT",
        "INVALID_ARGUMENT, FATAL, TRANSIENT",
        "DEADLINE_EXCEEDED, TRANSIENT, TRANSIENT",
        "NOT_FOUND, FATAL, TRANSIENT",
        "ALREADY_EXISTS, TRANSIENT, TRANSIENT",
        "PERMISSION_DENIED, FATAL, FATAL",
        "RESOURCE_EXHAUSTED, TRANSIENT, TRANSIENT",
        "FAILED_PRECONDITION, FATAL, TRANSIENT",
        "ABORTED, TRANSIENT, TRANSIENT",
        "OUT_OF_RANGE, TRANSIENT, TRANSIENT",
        "UNIMPLEMENTED, FATAL, TRANSIENT",
        "INTERNAL, TRANSIENT, TRANSIENT",
        "UNAVAILABLE, TRANSIENT, TRANSIENT",
        "DATA_LOSS, TRANSIENT, TRANSIENT",
        "UNAUTHENTICATED, FATAL, FATAL",
    })
    void everyGrpcStatusHasItsKind(Status.Code status, String before, String after) {
        assertThat(ErrorClassifier.ofStatus(status, false)).hasToString(before);
        assertThat(ErrorClassifier.ofStatus(status, true)).hasToString(after);
    }

    @Test
    void anExpiredHandleIsStale() {
        assertThat(
                        ErrorClassifier.ofCode(
                                Code.INVALID_RECEIPT_HANDLE, "receipt handle is expired", true))
                .isEqualTo(STALE_HANDLE);
    }

    @Test
    void aHandleOfABrokerThatIsAwayIsNotStale() {
        assertThat(
                        ErrorClassifier.ofCode(
                                Code.INVALID_RECEIPT_HANDLE, "cannot find broker broker-0", true))
                .isEqualTo(TRANSIENT);
    }

    @Test
    void aRouteWithoutAReadableQueuePassesOnceThereWasOne() {
        assertThat(ErrorClassifier.ofCode(Code.FORBIDDEN, "no readable queue", true))
                .isEqualTo(TRANSIENT);
        assertThat(ErrorClassifier.ofCode(Code.FORBIDDEN, "no readable queue", false))
                .isEqualTo(FATAL);
        assertThat(ErrorClassifier.ofCode(Code.FORBIDDEN, "no permission", true)).isEqualTo(FATAL);
    }

    @Test
    void aClientThatTheProxyDoesNotKnowMayIntroduceItselfAgain() {
        assertThat(ErrorClassifier.ofCode(Code.BAD_REQUEST, "client is disconnected", false))
                .isEqualTo(TRANSIENT);
    }

    @ParameterizedTest
    @CsvSource({
        "UNRECOGNIZED_CLIENT_TYPE, no settings, true",
        "BAD_REQUEST, client a@b is disconnected, true",
        "BAD_REQUEST, something else, false",
        "INTERNAL_SERVER_ERROR, NullPointerException: settings is null, true",
        "INTERNAL_SERVER_ERROR, something else, false",
        "UNAVAILABLE, settings, false",
    })
    void whatSaysThatTheSessionIsForgotten(String code, String text, boolean forgotten) {
        RpcException failure = new RpcException(TRANSIENT, code, "", "host:1", text, null);
        assertThat(ErrorClassifier.saysForgotten(failure)).isEqualTo(forgotten);
    }
}
