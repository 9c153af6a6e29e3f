/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.AckMessageResponse;
import apache.rocketmq.v2.AckMessageResultEntry;
import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.AckResult;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/** Matches what the server answered to an ack request with the entries of the request. */
final class AckResponseReader {

    private final Answer<AckMessageResponse> answer;
    private final boolean established;

    AckResponseReader(Answer<AckMessageResponse> answer, boolean established) {
        this.answer = answer;
        this.established = established;
    }

    /** Whether there are results per entry; the common status counts only if not. */
    boolean hasEntries() {
        return answer.value().getEntriesCount() > 0;
    }

    /** Why the request as a whole failed. */
    RpcException failure() {
        Status status = answer.value().getStatus();
        if (status.getCode() != Code.OK) {
            return answer.call().refused(status, established);
        }
        String text = "the answer has no results";
        return answer.call().failure(ErrorKind.TRANSIENT, "BROKEN_ANSWER", text, null);
    }

    /**
     * One result for each entry, in their order. The server's results are matched by handle, since
     * it settles the entries in parallel and promises no order.
     */
    List<AckResult> results(List<AckEntry> entries) {
        Map<String, Deque<Status>> byHandle = new HashMap<>();
        for (AckMessageResultEntry entry : answer.value().getEntriesList()) {
            byHandle.computeIfAbsent(
                            key(entry.getReceiptHandle(), entry.getMessageId()),
                            key -> new ArrayDeque<>())
                    .add(entry.getStatus());
        }
        List<AckResult> results = new ArrayList<>(entries.size());
        for (AckEntry entry : entries) {
            Deque<Status> found = byHandle.get(key(entry.receiptHandle(), entry.messageId()));
            results.add(result(entry, found == null ? null : found.poll()));
        }
        return results;
    }

    private AckResult result(AckEntry entry, Status status) {
        if (status == null) {
            String text = "the answer has no result for message " + entry.messageId();
            return AckResult.failed(
                    entry, answer.call().failure(ErrorKind.TRANSIENT, "BROKEN_ANSWER", text, null));
        }
        return status.getCode() == Code.OK
                ? AckResult.ok(entry)
                : AckResult.failed(entry, answer.call().refused(status, established));
    }

    private static String key(String handle, String messageId) {
        return messageId + '\n' + handle;
    }
}
