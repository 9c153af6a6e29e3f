/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * More bytes wait for a blocked downstream than the heap of its JVM holds. The server is the fake:
 * the dev cluster's own heap is not made for it.
 */
@Timeout(900)
class SmallHeapITCase {

    private static final int MESSAGES = 200;
    private static final int MEBIBYTE = 1024 * 1024;
    private static final Duration LONG = Duration.ofSeconds(280);
    private static final String TOPIC = "LargeMessages";
    private static final String GROUP = "GID-large";

    @Test
    void largeMessagesForABlockedDownstreamDoNotFillTheHeap() throws Exception {
        // case 49, the heap half
        byte[] body = new byte[MEBIBYTE];
        body[0] = 'x';
        body[1] = '\n';
        try (FakeProxy server = FakeProxy.builder().start()) {
            server.createLiteTopic(TOPIC);
            server.createLiteGroup(GROUP, TOPIC);
            for (int i = 0; i < MESSAGES; i++) {
                server.send(TOPIC, LiteOutgoingMessage.of("lt-" + i, body));
            }
            try (ChildJob job =
                    ChildJob.start(
                            Collections.singletonList("-Xmx256m"),
                            "rocketmq.client.endpoints=" + server.endpoints(),
                            "rocketmq.source.main-topic=" + TOPIC,
                            "rocketmq.source.consumer-group=" + GROUP,
                            "rocketmq.source.fetch-concurrency=8",
                            "rocketmq.source.invisible-duration=10 min")) {
                await().atMost(LONG).until(() -> isOver(job) || job.values().size() == 1);
                // meanwhile the reader takes all that it can
                await().pollDelay(Duration.ofSeconds(8))
                        .atMost(LONG)
                        .until(() -> isOver(job) || server.backlog(TOPIC, GROUP) == MESSAGES);
                assertThat(isOver(job)).as(job::output).isFalse();
                job.unblock();
                await().atMost(LONG).until(() -> isOver(job) || server.backlog(TOPIC, GROUP) == 0);

                assertThat(isOver(job)).as(job::output).isFalse();
                assertThat(new HashSet<>(job.liteTopics())).hasSize(MESSAGES);
                assertThat(job.liteTopics()).hasSize(MESSAGES);
            }
        }
    }

    private static boolean isOver(ChildJob job) {
        return !job.isAlive() || job.output().contains("OutOfMemoryError");
    }
}
