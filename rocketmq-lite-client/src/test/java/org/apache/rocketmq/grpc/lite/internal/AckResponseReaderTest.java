/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.AckMessageResponse;
import apache.rocketmq.v2.AckMessageResultEntry;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Status;
import java.util.List;
import java.util.Optional;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.junit.jupiter.api.Test;

/** One result for each entry, whatever the server's order. */
class AckResponseReaderTest {

    private final AckEntry first = new AckEntry("topic", "a", "m1", "handle-1");
    private final AckEntry second = new AckEntry("topic", "b", "m2", "handle-2");

    // beside case 5
    @Test
    void resultsGoToTheirEntriesInTheOrderAskedFor() {
        AckResponseReader reader =
                reader(
                        Code.MULTIPLE_RESULTS,
                        entry(second, Code.OK, ""),
                        entry(first, Code.INVALID_RECEIPT_HANDLE, "receipt handle is expired"));
        List<AckResult> results = reader.results(List.of(first, second));
        assertThat(results).extracting(AckResult::entry).containsExactly(first, second);
        assertThat(results.get(0).failure().orElseThrow().kind()).isEqualTo(ErrorKind.STALE_HANDLE);
        assertThat(results.get(1).isOk()).isTrue();
    }

    @Test
    void theResultsOfTheEntriesCountNotTheCommonCode() {
        AckResponseReader reader = reader(Code.OK, entry(first, Code.INTERNAL_SERVER_ERROR, "no"));
        assertThat(reader.hasEntries()).isTrue();
        AckResult result = reader.results(List.of(first)).get(0);
        assertThat(result.isOk()).isFalse();
        assertThat(result.failure().orElseThrow().kind()).isEqualTo(ErrorKind.TRANSIENT);
    }

    @Test
    void theSameMessageTwiceHasTwoResults() {
        AckResponseReader reader =
                reader(
                        Code.MULTIPLE_RESULTS,
                        entry(first, Code.OK, ""),
                        entry(first, Code.TOO_MANY_REQUESTS, "slow down"));
        List<AckResult> results = reader.results(List.of(first, first));
        assertThat(results.get(0).isOk()).isTrue();
        assertThat(results.get(1).isOk()).isFalse();
    }

    @Test
    void anEntryWithoutAResultHasFailed() {
        AckResponseReader reader = reader(Code.OK, entry(first, Code.OK, ""));
        AckResult missing = reader.results(List.of(first, second)).get(1);
        assertThat(missing.failure().orElseThrow())
                .hasMessageContaining("no result for message m2")
                .hasMessageNotContaining("handle-2");
    }

    @Test
    void anAnswerWithoutResultsIsAFailureOfTheRequest() {
        AckResponseReader refused = reader(Code.UNAUTHORIZED);
        assertThat(refused.hasEntries()).isFalse();
        assertThat(refused.failure().kind()).isEqualTo(ErrorKind.FATAL);
        assertThat(reader(Code.OK).failure().kind()).isEqualTo(ErrorKind.TRANSIENT);
    }

    private static AckResponseReader reader(Code code, AckMessageResultEntry... entries) {
        AckMessageResponse response =
                AckMessageResponse.newBuilder()
                        .setStatus(Status.newBuilder().setCode(code))
                        .addAllEntries(List.of(entries))
                        .build();
        CallInfo call =
                new CallInfo(
                        "AckMessage",
                        "request-1",
                        "host:1",
                        new ClientAccess(Optional.empty(), "topic", "group", new ManualLoop()));
        return new AckResponseReader(new Answer<>(call, response), true);
    }

    private static AckMessageResultEntry entry(AckEntry entry, Code code, String text) {
        return AckMessageResultEntry.newBuilder()
                .setMessageId(entry.messageId())
                .setReceiptHandle(entry.receiptHandle())
                .setStatus(Status.newBuilder().setCode(code).setMessage(text))
                .build();
    }
}
