/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.Code;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
import org.apache.flink.connector.rocketmq.grpc.message.RocketMQReceiptHandle;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteAcknowledger;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The code tables of {@code docs/acknowledging.md}, read and tried: every code of the protocol as
 * the answer of a proxy, through the real client, with retries on a manual clock.
 */
@Timeout(300)
class AckCodeTableTest {

    private static final String TOPIC = "main";
    private static final String GROUP = "GID";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Short, because it is waited for twice per code that is repeated. */
    private static final Duration LOOK = Duration.ofMillis(5);

    private static final Pattern ROW = Pattern.compile("\\| (`.*`) \\| \\*\\*(\\w+)\\*\\* \\|.*");
    private static final Pattern NAME = Pattern.compile("`(\\w+)`");

    private final ManualTimer timer = new ManualTimer();
    private final AckStats stats = new AckStats();
    private final Semaphore places = new Semaphore(1_000);
    private FakeProxy proxy;
    private AckSession session;
    private int calls;
    private long retried;

    @BeforeEach
    void connect() {
        proxy = FakeProxy.start();
        proxy.createLiteTopic(TOPIC);
        proxy.createLiteGroup(GROUP, TOPIC);
        LiteClientConfig client =
                LiteClientConfig.builder()
                        .endpoints(Endpoints.parse(proxy.endpoints()))
                        .requestTimeout(PATIENCE)
                        .build();
        session =
                new AckSession(
                        AckRoute.of(next()),
                        AckConfig.from(new Configuration()),
                        SequencerLimits.DEFAULT,
                        timer,
                        () -> LiteAcknowledger.create(client, GROUP, TOPIC),
                        dead -> {});
        proxy.script(Rpc.ACK).times(1).answer(Code.OK);
        assertThat(session.ack(next(), stats, permit()))
                .succeedsWithin(PATIENCE)
                .isEqualTo(AckOutcome.SETTLED);
    }

    @AfterEach
    void close() {
        session.close();
        proxy.close();
    }

    /** A message of a lite topic of its own. */
    private RocketMQReceiptHandle next() {
        String id = "m" + calls++;
        return RocketMQReceiptHandle.builder()
                .route(proxy.endpoints(), "", GROUP)
                .message(TOPIC, "lite-" + id, id)
                .receipt("r-" + id, timer.nowMillis() + 3_600_000)
                .delivery(FakeProxy.BROKER_A, 1, 1)
                .place(0, true)
                .build();
    }

    private Permit permit() {
        return Permit.takeWithoutWaiting(places);
    }

    // case 5
    @Test
    void everyCodeOfAnAckIsTreatedAsDocumented() throws Exception {
        Map<String, String> table = table("AckMessage");
        assertThat(table.keySet()).containsExactlyInAnyOrderElementsOf(everyCode());
        for (Map.Entry<String, String> row : table.entrySet()) {
            proxy.script(Rpc.ACK).times(1).answer(Code.valueOf(row.getKey()));
            proxy.script(Rpc.ACK).times(1).answer(Code.OK);
            treats(Rpc.ACK, row, session.ack(next(), stats, permit()));
        }
    }

    @Test
    void everyCodeOfADeferralIsTreatedAsDocumented() throws Exception {
        Map<String, String> table = table("ChangeInvisibleDuration, deferral");
        assertThat(table.keySet()).containsExactlyInAnyOrderElementsOf(everyCode());
        for (Map.Entry<String, String> row : table.entrySet()) {
            script(Code.valueOf(row.getKey()));
            treats(
                    Rpc.CHANGE_INVISIBLE_DURATION,
                    row,
                    session.defer(next(), Duration.ofMinutes(1), stats, permit()));
        }
    }

    @Test
    void everyCodeOfAnExtensionIsTreatedAsDocumented() throws Exception {
        Map<String, String> table = table("ChangeInvisibleDuration, extension");
        assertThat(table.keySet()).containsExactlyInAnyOrderElementsOf(everyCode());
        for (Map.Entry<String, String> row : table.entrySet()) {
            script(Code.valueOf(row.getKey()));
            CompletableFuture<RocketMQReceiptHandle> extension =
                    session.extend(next(), Duration.ofMinutes(1), stats, permit());
            if (row.getValue().equals("stale")) {
                assertThatThrownBy(() -> extension.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(row.getKey())
                        .cause()
                        .isInstanceOfSatisfying(
                                AckFailedException.class, e -> assertThat(e.isFatal()).isFalse())
                        .hasMessageContaining("code " + row.getKey());
                requests(Rpc.CHANGE_INVISIBLE_DURATION, row, 1);
            } else {
                treats(
                        Rpc.CHANGE_INVISIBLE_DURATION,
                        row,
                        extension.thenApply(renewed -> AckOutcome.SETTLED));
            }
        }
    }

    @Test
    void everyGrpcStatusIsTreatedAsDocumented() throws Exception {
        Map<String, String> table = table("gRPC status");
        assertThat(table.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Status.Code.values())
                                .filter(code -> code != Status.Code.OK)
                                .map(Enum::name)
                                .collect(Collectors.toList()));
        for (Map.Entry<String, String> row : table.entrySet()) {
            Status status = Status.Code.valueOf(row.getKey()).toStatus();
            proxy.script(Rpc.ACK).times(1).grpcStatus(status);
            proxy.script(Rpc.ACK).times(1).answer(Code.OK);
            treats(Rpc.ACK, row, session.ack(next(), stats, permit()));
            proxy.script(Rpc.CHANGE_INVISIBLE_DURATION).times(1).grpcStatus(status);
            proxy.script(Rpc.CHANGE_INVISIBLE_DURATION).times(1).answer(Code.OK);
            treats(
                    Rpc.CHANGE_INVISIBLE_DURATION,
                    row,
                    session.defer(next(), Duration.ofMinutes(1), stats, permit()));
        }
    }

    private void script(Code code) {
        proxy.script(Rpc.CHANGE_INVISIBLE_DURATION).times(1).answer(code);
        proxy.script(Rpc.CHANGE_INVISIBLE_DURATION).times(1).answer(Code.OK);
    }

    private void treats(
            Rpc rpc, Map.Entry<String, String> row, CompletableFuture<AckOutcome> call) {
        String code = row.getKey();
        switch (row.getValue()) {
            case "stale":
                assertThat(call).as(code).succeedsWithin(PATIENCE).isEqualTo(AckOutcome.STALE);
                requests(rpc, row, 1);
                break;
            case "fatal":
                assertThatThrownBy(() -> call.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as(code)
                        .cause()
                        .isInstanceOfSatisfying(
                                AckFailedException.class, e -> assertThat(e.isFatal()).isTrue())
                        .hasMessageContaining("code " + code)
                        .hasMessageContaining("topic " + TOPIC + ", lite topic lite-m");
                requests(rpc, row, 1);
                break;
            case "repeated":
                await(code)
                        .atMost(PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(LOOK)
                        .until(() -> call.isDone() || stats.retried.get() > retried);
                assertThat(call).as(code + " is repeated after a pause").isNotDone();
                await(code)
                        .atMost(PATIENCE)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(LOOK)
                        .until(
                                () -> {
                                    timer.advance(200);
                                    return call.isDone();
                                });
                retried = stats.retried.get();
                assertThat(call).as(code).succeedsWithin(PATIENCE).isEqualTo(AckOutcome.SETTLED);
                break;
            default:
                throw new AssertionError("treated as " + row.getValue() + "?");
        }
        proxy.clearScripts();
        proxy.clearRecorded();
    }

    private void requests(Rpc rpc, Map.Entry<String, String> row, long expected) {
        timer.advance(60_000);
        assertThat(proxy.count(rpc)).as("requests after " + row.getKey()).isEqualTo(expected);
        proxy.clearScripts();
        proxy.clearRecorded();
    }

    private static Set<String> everyCode() {
        return EnumSet.complementOf(
                        EnumSet.of(
                                Code.CODE_UNSPECIFIED,
                                Code.OK,
                                Code.MULTIPLE_RESULTS,
                                Code.UNRECOGNIZED))
                .stream()
                .map(Enum::name)
                .collect(Collectors.toSet());
    }

    /** What the documentation says of each code of this table. */
    private static Map<String, String> table(String name) throws Exception {
        Path docs = Path.of("..", "docs", "acknowledging.md");
        List<String> lines = Files.readAllLines(docs);
        int begin = lines.indexOf("<!-- codes: " + name + " -->");
        assertThat(begin).as("table " + name + " in " + docs).isNotNegative();
        Map<String, String> table = new TreeMap<>();
        for (String line : lines.subList(begin + 1, lines.size())) {
            if (line.equals("<!-- end of codes -->")) {
                break;
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Matcher names = NAME.matcher(row.group(1));
                while (names.find()) {
                    assertThat(table.put(names.group(1), row.group(2)))
                            .as(names.group(1) + " stands twice in " + name)
                            .isNull();
                }
            }
        }
        return table;
    }
}
