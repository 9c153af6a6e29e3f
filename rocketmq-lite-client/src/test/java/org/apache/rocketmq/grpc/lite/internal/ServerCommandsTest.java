/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import apache.rocketmq.v2.Code;
import apache.rocketmq.v2.NotifyUnsubscribeLiteCommand;
import apache.rocketmq.v2.PrintThreadStackTraceCommand;
import apache.rocketmq.v2.ReconnectEndpointsCommand;
import apache.rocketmq.v2.TelemetryCommand;
import apache.rocketmq.v2.VerifyMessageCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the client does when the server asks. */
class ServerCommandsTest {

    private final List<TelemetryCommand> replies = new ArrayList<>();
    private final AtomicInteger reconnects = new AtomicInteger();

    @Test
    void theStackOfTheOneThreadIsGivenWithTheNonce() {
        ask(
                TelemetryCommand.newBuilder()
                        .setPrintThreadStackTraceCommand(
                                PrintThreadStackTraceCommand.newBuilder().setNonce("n1")));
        assertThat(replies).hasSize(1);
        assertThat(replies.get(0).getStatus().getCode()).isEqualTo(Code.OK);
        assertThat(replies.get(0).getThreadStackTrace().getNonce()).isEqualTo("n1");
        assertThat(replies.get(0).getThreadStackTrace().getThreadStackTrace())
                .startsWith(Thread.currentThread().getName())
                .contains("ServerCommandsTest");
    }

    @Test
    void verifyingAMessageIsDeclined() {
        ask(
                TelemetryCommand.newBuilder()
                        .setVerifyMessageCommand(VerifyMessageCommand.newBuilder().setNonce("n2")));
        assertThat(replies.get(0).getStatus().getCode()).isEqualTo(Code.UNSUPPORTED);
        assertThat(replies.get(0).getVerifyMessageResult().getNonce()).isEqualTo("n2");
    }

    @Test
    void aWishForANewConnectionIsFulfilled() {
        ask(
                TelemetryCommand.newBuilder()
                        .setReconnectEndpointsCommand(
                                ReconnectEndpointsCommand.getDefaultInstance()));
        assertThat(reconnects).hasValue(1);
        assertThat(replies).isEmpty();
    }

    @Test
    void whatMeansNothingToThisClientIsPassedOver() {
        ask(
                TelemetryCommand.newBuilder()
                        .setNotifyUnsubscribeLiteCommand(
                                NotifyUnsubscribeLiteCommand.newBuilder().setLiteTopic("x")));
        ask(TelemetryCommand.newBuilder());
        assertThat(replies).isEmpty();
        assertThat(reconnects).hasValue(0);
    }

    private void ask(TelemetryCommand.Builder command) {
        ServerCommands.answer(command.build(), replies::add, reconnects::incrementAndGet);
    }
}
