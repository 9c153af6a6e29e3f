/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.ErrorKind;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.LiteSubscription;
import org.apache.rocketmq.grpc.lite.RpcException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A failed start says what was wanted, what happened, and what to do. */
class StartHintsTest {

    private static final String TOPIC_LINE =
            "mqadmin updateTopic -n <namesrv> -c <cluster> -t LiteMain -a \"+message.type=LITE\"";
    private static final String GROUP_LINE =
            "mqadmin updateSubGroup -n <namesrv> -c <cluster> -g GID -r 1000000 --attributes"
                    + " \"+lite.bind.topic=LiteMain,+lite.sub.wildcard=true,"
                    + "+lite.sub.client.max.event.cnt=10000\"";

    private final Endpoints endpoints = Endpoints.parse("proxy:8081;other:8081");
    private final LiteClientConfig config = LiteClientConfig.builder().endpoints(endpoints).build();
    private final SessionRole consumer =
            new ConsumerRole(
                    config,
                    new LiteSubscription(
                            "LiteMain", "GID", Duration.ofSeconds(20), Duration.ofSeconds(60)),
                    new ManualLoop());

    // beside case 32
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TOPIC_NOT_FOUND       | No topic route info                         | topic",
                "TOPIC_OF_ANOTHER_TYPE | takes messages of type NORMAL               | topic",
                "NOT_A_WILDCARD_GROUP  | no attribute lite.sub.wildcard              | group",
                "INVALID_ARGUMENT      | regular group cannot use LITE mode: GID     | group",
                "INVALID_ARGUMENT      | GID is expected to bind topic B, but is A   | group",
                "ILLEGAL_CONSUMER_GROUP| group not found                             | group",
                "ILLEGAL_TOPIC         | something about it                          | both",
            })
    void everyRefusalComesWithItsRepair(String code, String said, String repair) {
        RpcException failure = StartHints.refused(consumer, endpoints, refusal(code, said));
        assertThat(failure.kind()).isEqualTo(ErrorKind.FATAL);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure)
                .hasMessageContaining("endpoints proxy:8081;other:8081")
                .hasMessageContaining("topic LiteMain")
                .hasMessageContaining("group GID")
                .hasMessageContaining("code " + code)
                .hasMessageContaining(said)
                .hasMessageContaining("Repair: ");
        assertThat(failure.getMessage().contains(TOPIC_LINE)).isEqualTo(!repair.equals("group"));
        assertThat(failure.getMessage().contains(GROUP_LINE)).isEqualTo(!repair.equals("topic"));
    }

    // beside case 34
    @Test
    void aServerWithoutLiteConsumersIsToldWithTheVersionNeeded() {
        RpcException failure =
                StartHints.refused(
                        consumer, endpoints, refusal("INTERNAL", "Client type is not consumer"));
        assertThat(failure).hasMessageContaining("RocketMQ 5.5.0 or later");
        assertThat(StartHints.refused(consumer, endpoints, refusal("UNIMPLEMENTED", "")))
                .hasMessageContaining("RocketMQ 5.5.0 or later");
    }

    // beside case 32
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Connection refused: /127.0.0.1:1          | Nothing listens at",
                "Unable to resolve host proxy              | The host name is unknown",
                "First received frame was not SETTINGS     | does not speak gRPC",
                "deadline exceeded                         | check that a RocketMQ proxy",
            })
    void whatCouldNotBeReachedIsTellableApart(String said, String hint) {
        RpcException failure =
                StartHints.neverConnected(consumer, config, refusal("UNAVAILABLE", said));
        assertThat(failure.kind()).isEqualTo(ErrorKind.FATAL);
        assertThat(failure)
                .hasMessageContaining(said)
                .hasMessageContaining(hint)
                .hasMessageContaining("8081")
                .hasMessageContaining("Repair: ");
    }

    @Test
    void aServerThatSaysNothingAtAllIsNamedToo() {
        RpcException failure =
                StartHints.neverConnected(
                        consumer, config.withStartPatience(Duration.ofSeconds(77)), null);
        assertThat(failure.code()).isEqualTo("DEADLINE_EXCEEDED");
        assertThat(failure)
                .hasMessageContaining("nothing answers at proxy:8081;other:8081")
                .hasMessageContaining("No session within 77 s");
    }

    @Test
    void aProducerHasNoGroupToRepair() {
        SessionRole producer =
                new ProducerRole(
                        LiteClientConfig.builder().endpoints(endpoints).build(), "LiteMain");
        RpcException failure =
                StartHints.refused(producer, endpoints, refusal("ILLEGAL_TOPIC", "no group"));
        assertThat(failure).hasMessageContaining(TOPIC_LINE).hasMessageNotContaining("SubGroup");
    }

    private static RpcException refusal(String code, String said) {
        return new RpcException(ErrorKind.FATAL, code, "id", "proxy:8081", said, null);
    }
}
