/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.Status;
import apache.rocketmq.v2.TelemetryCommand;
import apache.rocketmq.v2.ThreadStackTrace;
import apache.rocketmq.v2.VerifyMessageResult;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what a server asks over telemetry. Stateless; used on the I/O thread. */
final class ServerCommands {

    private static final Logger LOG = LoggerFactory.getLogger(ServerCommands.class);

    private ServerCommands() {}

    /**
     * Answers a command; one that means nothing to this client is passed over.
     *
     * @param reconnect what to do when the server asks for a new connection
     */
    static void answer(
            TelemetryCommand command, Consumer<TelemetryCommand> reply, Runnable reconnect) {
        switch (command.getCommandCase()) {
            case PRINT_THREAD_STACK_TRACE_COMMAND:
                reply.accept(stackTrace(command.getPrintThreadStackTraceCommand().getNonce()));
                break;
            case VERIFY_MESSAGE_COMMAND:
                reply.accept(notVerified(command.getVerifyMessageCommand().getNonce()));
                break;
            case RECONNECT_ENDPOINTS_COMMAND:
                LOG.info("The server asks for a new connection");
                reconnect.run();
                break;
            default:
                LOG.debug("Server command {} passed over", command.getCommandCase());
        }
    }

    /** The stack of the thread that all of this client runs on: the caller's own. */
    private static TelemetryCommand stackTrace(String nonce) {
        Thread thread = Thread.currentThread();
        StringBuilder text = new StringBuilder(thread.getName()).append('\n');
        for (StackTraceElement element : thread.getStackTrace()) {
            text.append("    at ").append(element).append('\n');
        }
        return TelemetryCommand.newBuilder()
                .setStatus(Status.newBuilder().setCode(Code.OK))
                .setThreadStackTrace(
                        ThreadStackTrace.newBuilder()
                                .setNonce(nonce)
                                .setThreadStackTrace(text.toString()))
                .build();
    }

    /** Verifying means consuming on demand, which a client with manual receive cannot do. */
    private static TelemetryCommand notVerified(String nonce) {
        return TelemetryCommand.newBuilder()
                .setStatus(
                        Status.newBuilder()
                                .setCode(Code.UNSUPPORTED)
                                .setMessage("this client receives on its own initiative only"))
                .setVerifyMessageResult(VerifyMessageResult.newBuilder().setNonce(nonce))
                .build();
    }
}
