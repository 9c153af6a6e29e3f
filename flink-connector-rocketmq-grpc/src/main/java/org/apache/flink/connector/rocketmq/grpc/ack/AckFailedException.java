/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.rocketmq.grpc.lite.AckEntry;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.RpcException;

/**
 * An ack, an extension or a deferral that did not reach its aim. Names topic, lite topic, message
 * id and code, never a whole handle.
 */
@PublicEvolving
public final class AckFailedException extends FlinkRuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean fatal;

    private AckFailedException(String message, Throwable cause, boolean fatal) {
        super(message, cause);
        this.fatal = fatal;
    }

    /** What a refused or unanswered request means for the message of this handle. */
    static AckFailedException of(String act, RocketMQReceiptHandle handle, Throwable cause) {
        return of(act, handle.getTopic(), handle.getLiteTopic(), handle.getMessageId(), cause);
    }

    /** What it means for the message of this entry. */
    static AckFailedException of(String act, AckEntry entry, Throwable cause) {
        return of(act, entry.topic(), entry.liteTopic(), entry.messageId(), cause);
    }

    private static AckFailedException of(
            String act, String topic, String liteTopic, String messageId, Throwable wrapped) {
        Throwable cause = FailureSorter.unwrap(wrapped);
        boolean answered = cause instanceof RpcException;
        return new AckFailedException(
                act
                        + " failed for topic "
                        + topic
                        + ", lite topic "
                        + liteTopic
                        + ", message "
                        + messageId
                        + (answered ? ", code " + ((RpcException) cause).code() : "")
                        + ": "
                        + cause.getMessage(),
                cause,
                !answered || ((RpcException) cause).kind() == ErrorKind.FATAL);
    }

    /** The caller's side ended first: closed or interrupted. No reason to fail a job. */
    static AckFailedException ended(String act, RocketMQReceiptHandle handle, String why) {
        return new AckFailedException(
                act
                        + " not done for topic "
                        + handle.getTopic()
                        + ", lite topic "
                        + handle.getLiteTopic()
                        + ", message "
                        + handle.getMessageId()
                        + ": "
                        + why,
                null,
                false);
    }

    /** True if repeating cannot help, so that the job has to fail. */
    public boolean isFatal() {
        return fatal;
    }
}
