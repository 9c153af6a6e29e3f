/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.flinksuite;

import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSource;
import org.apache.flink.connector.rocketmq.grpc.source.RocketMQGrpcSourceBuilder;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.flink.connector.testframe.external.source.DataStreamSourceExternalContext;
import org.apache.flink.connector.testframe.external.source.TestingSourceSettings;

/**
 * What Flink's suite needs of the server: a topic and group for each test case. A "split" of the
 * suite is a lite topic: the suite expects the records of a split in the order in which they were
 * written, and waits without end for one that came too early.
 */
final class LiteExternalContext implements DataStreamSourceExternalContext<String> {

    /**
     * Four splits of them fit into one answer of the broker, so a lite topic is never cut in two:
     * some of the suite's jobs have no checkpoints, and the second part would come after an ack
     * only, or, acked at once, overtake the first through another reader.
     */
    private static final int RECORDS = 8;

    /** Longer than the suite needs to count records that nobody acks. */
    private static final Duration LEASE = Duration.ofSeconds(30);

    /** A bounded reader does not end before it. */
    private static final Duration BOUNDED_LEASE = Duration.ofSeconds(10);

    private final AtomicInteger splits = new AtomicInteger();
    private final LiteTopicFixture fixture;

    LiteExternalContext(String testName) {
        try {
            fixture = LiteTopicFixture.create();
        } catch (Exception e) {
            throw new IllegalStateException("no topic and group for " + testName, e);
        }
    }

    @Override
    public Source<String, ?, ?> createSource(TestingSourceSettings settings) {
        RocketMQGrpcSourceBuilder<String> source =
                RocketMQGrpcSource.<String>builder()
                        .setConfiguration(fixture.sourceOptions())
                        .setInvisibleDuration(isBounded(settings) ? BOUNDED_LEASE : LEASE)
                        .setValueOnlyDeserializer(new SimpleStringSchema());
        if (isBounded(settings)) {
            source.setBoundedByIdle(Duration.ofSeconds(1));
        }
        return new SettlingSource(source.build());
    }

    @Override
    public ExternalSystemSplitDataWriter<String> createSourceSplitDataWriter(
            TestingSourceSettings settings) {
        return new Writer("split-" + splits.incrementAndGet());
    }

    @Override
    public List<String> generateTestData(TestingSourceSettings settings, int split, long seed) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            values.add("split " + split + ", record " + i + ", seed " + seed);
        }
        return values;
    }

    private static boolean isBounded(TestingSourceSettings settings) {
        return settings.getBoundedness() == Boundedness.BOUNDED;
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }

    @Override
    public List<URL> getConnectorJarPaths() {
        return Collections.emptyList();
    }

    @Override
    public void close() {
        fixture.close();
    }

    /** Sends to one lite topic, one message after the other. */
    private final class Writer implements ExternalSystemSplitDataWriter<String> {
        private final String liteTopic;

        private Writer(String liteTopic) {
            this.liteTopic = liteTopic;
        }

        @Override
        public void writeRecords(List<String> records) {
            try {
                for (String each : records) {
                    fixture.send(liteTopic, each);
                }
            } catch (Exception e) {
                throw new IllegalStateException("records not sent to " + liteTopic, e);
            }
        }

        @Override
        public void close() {
            // the producer is the fixture's
        }
    }
}
