/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.split.PlaceholderSplit;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.ServerClock;
import org.apache.rocketmq.grpc.lite.fixtures.SystemServerClock;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose clock is not that of the TaskManager. */
@Timeout(60)
class ClockSkewTest {

    @ParameterizedTest
    @ValueSource(longs = {-90_000, 0, 90_000})
    void aClockThatIsNinetySecondsOffChangesNothing(long skewMillis) throws Exception {
        CountedMetrics counted = new CountedMetrics();
        RecordedReaderOutput<String> output = new RecordedReaderOutput<>();
        try (FakeProxy server = FakeProxy.builder().clock(new SkewedClock(skewMillis)).start()) {
            server.createLiteTopic(Messages.TOPIC);
            server.createLiteGroup(Messages.GROUP, Messages.TOPIC);
            for (int i = 0; i < 3; i++) {
                byte[] body = ("a-" + i).getBytes(StandardCharsets.UTF_8);
                server.send(Messages.TOPIC, LiteOutgoingMessage.of("a", body));
            }
            long begun = System.currentTimeMillis();
            RocketMQSourceReader<String> reader = reader(server.endpoints(), counted);
            try {
                reader.start();
                reader.addSplits(Collections.singletonList(new PlaceholderSplit(0)));
                await().pollInSameThread()
                        .atMost(Duration.ofSeconds(30))
                        .pollInterval(Duration.ofMillis(5))
                        .until(
                                () -> {
                                    reader.pollNext(output);
                                    return output.values().size() == 3;
                                });
            } finally {
                reader.close();
            }
            long ended = System.currentTimeMillis();

            assertThat(counted.count("expiredBeforeEmission")).isZero();
            List<Long> ends = new ArrayList<>();
            output.records().forEach(r -> ends.add(r.getReceiptHandle().getLeaseEndMillis()));
            assertThat(ends)
                    .allSatisfy(end -> assertThat(end).isBetween(begun + 60_000, ended + 60_000));
        }
    }

    private static RocketMQSourceReader<String> reader(String endpoints, CountedMetrics counted) {
        Configuration options =
                Configs.options()
                        .set(RocketMQGrpcClientOptions.ENDPOINTS, endpoints)
                        .set(RocketMQGrpcSourceOptions.AWAIT_DURATION, Duration.ofSeconds(5));
        return RocketMQSourceReader.create(
                SourceConfig.from(options),
                RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema()),
                LiteConsumerFactory.CLIENT,
                new FakeReaderContext(new Configuration(), counted.group()));
    }

    /** Real time, so many milliseconds off. */
    private static final class SkewedClock implements ServerClock {
        private final ServerClock real = new SystemServerClock();
        private final long skewMillis;

        private SkewedClock(long skewMillis) {
            this.skewMillis = skewMillis;
        }

        @Override
        public long millis() {
            return real.millis() + skewMillis;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return real.schedule(delay, task);
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
