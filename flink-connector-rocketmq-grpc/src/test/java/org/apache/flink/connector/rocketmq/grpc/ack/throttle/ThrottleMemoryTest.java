/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.apache.flink.connector.rocketmq.grpc.ack.throttle.Deliveries.START;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.ThrottleConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Memory over a million lite topics, with the bounds of production. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ThrottleMemoryTest {

    private static final Logger LOG = LoggerFactory.getLogger(ThrottleMemoryTest.class);
    private static final int MILLION = 1_000_000;
    private static final int MAX_BUCKETS = 500_000;
    private static final long MIB = 1 << 20;

    @Test
    void aMillionEmptyBucketsTakeTheMemoryOfTheBoundAndTheSecondHalfAddsNothing() {
        TokenBucketThrottlePolicy<String> policy = TokenBucketThrottlePolicy.of(1e-9, 1);
        policy.start();
        long before = usedHeap();

        for (int i = 0; i < MAX_BUCKETS; i++) {
            policy.onMessage("v", new FixedContext("tenant-" + i, 0, START + i));
        }
        long atTheBound = usedHeap() - before;
        for (int i = MAX_BUCKETS; i < MILLION; i++) {
            policy.onMessage("v", new FixedContext("tenant-" + i, 0, START + i));
        }
        long atTheEnd = usedHeap() - before;

        LOG.info("500,000 buckets: {} MiB, a million: {} MiB", atTheBound / MIB, atTheEnd / MIB);
        assertThat(policy.buckets()).isEqualTo(MAX_BUCKETS);
        assertThat(policy.forgotten()).isEqualTo(MILLION - MAX_BUCKETS);
        assertThat(atTheBound).isLessThan(200 * MIB);
        assertThat(atTheEnd).isLessThan(atTheBound + 20 * MIB);
    }

    @Test
    void aMillionDeferredLiteTopicsTakeTheMemoryOfTheBounds() throws Exception {
        ThrottleCounters counters = new ThrottleCounters();
        DeferralCounts counts =
                new DeferralCounts(
                        ThrottlingFunction.MAX_COUNTED_MESSAGES, counters.forgotten, 0, 1);
        DeferralMemory memory =
                new DeferralMemory(ThrottlingFunction.MAX_DEFERRED_LITE_TOPICS, counters.forgotten);
        ThrottleCore<Integer> core =
                new ThrottleCore<>(
                        value -> Optional.of(Duration.ofMinutes(10)),
                        ThrottleConfig.from(new Configuration()),
                        counts,
                        memory,
                        new AdmittedParts(
                                ThrottlingFunction.MAX_PARTIAL_MESSAGES, counters.forgotten),
                        counters);
        long before = usedHeap();

        for (int i = 0; i < MILLION; i++) {
            core.decide(Deliveries.message("tenant-" + i, 1, 0, i), START);
        }
        long used = usedHeap() - before;

        LOG.info("a million deferred lite topics: {} MiB", used / MIB);
        assertThat(counts.size()).isEqualTo(ThrottlingFunction.MAX_COUNTED_MESSAGES);
        assertThat(memory.size()).isEqualTo(ThrottlingFunction.MAX_DEFERRED_LITE_TOPICS);
        assertThat(counters.forgotten.getCount()).isEqualTo(2 * (MILLION - 100_000));
        assertThat(used).isLessThan(150 * MIB);
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
