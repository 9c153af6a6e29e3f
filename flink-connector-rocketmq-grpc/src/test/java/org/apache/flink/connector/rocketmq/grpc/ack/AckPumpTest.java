/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcAckOptions;
import org.apache.flink.metrics.SimpleCounter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Great numbers of handles whose checkpoint is complete. */
@Timeout(120)
class AckPumpTest {

    private final CheckpointScenario job = new CheckpointScenario();

    @Test
    void aHundredThousandAcksThatAreAnsweredAtOnceDoNotNest() throws Exception {
        int count = 100_000;
        job.options.set(RocketMQGrpcAckOptions.MAX_PENDING, count);
        job.open();
        receive(count);
        // without the harness, whose memory is too small for this state
        job.function.pendingHandles().snapshot(1);
        job.function.notifyCheckpointComplete(1);

        assertThat(job.server.ackedIds()).hasSize(count).doesNotHaveDuplicates();
        assertThat(job.function.pendingHandles().size()).isZero();
        job.close();
    }

    @Test
    void theFirstAnswerOfTenThousandDoesNotNestWhenTheOthersComeAtOnce() throws Exception {
        int count = 10_000;
        job.options.set(RocketMQGrpcAckOptions.MAX_PENDING, count);
        job.options.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 4);
        job.server.answerByHand();
        job.open();
        receive(count);
        job.snapshot(1);
        job.complete(1);
        assertThat(job.acked()).hasSizeLessThanOrEqualTo(4);

        job.server.answerAtOnce();
        job.server.answerLastAck();
        Awaitility.await().untilAsserted(() -> assertThat(job.acked()).hasSize(count));
        job.close();
    }

    @Test
    void atAnEndOutOfOrderWhatDidNotLeaveStaysAndNothingLeavesAfterIt() throws Exception {
        int count = 12_000;
        job.options.set(RocketMQGrpcAckOptions.MAX_PENDING, count);
        job.server.answerByHand();
        job.open();
        receive(count);
        job.snapshot(1);
        job.complete(1);
        int left = job.acked().size();
        assertThat(left).isBetween(1, 1_024);
        assertThat(job.function.pendingHandles().size()).isEqualTo(count);

        job.close();
        job.server.answerAtOnce();
        job.server.answerLastAck();

        assertThat(job.acked()).hasSize(left);
        assertThat(job.pool.size()).isZero();
        assertThat(job.server.changes).as("all of it is covered").isEmpty();
    }

    @Test
    void fullOfWaitingHandlesEachFurtherOneIsLetGoWithoutASearch() throws Exception {
        int max = 20_000;
        SimpleCounter letGo = new SimpleCounter();
        PendingHandles pending = new PendingHandles(max, letGo);
        for (int i = 0; i < max; i++) {
            pending.add(job.handle("t" + i, 0), 0);
        }
        pending.snapshot(1);
        List<PendingHandle> underWay = new ArrayList<>(pending.complete(1));
        assertThat(underWay).hasSize(max);
        for (int i = 0; i < max; i++) {
            pending.add(job.handle("beyond" + i, 0), 0);
        }
        assertThat(letGo.getCount()).isEqualTo(max);

        // each answer makes room for one more
        IntStream.range(0, max)
                .forEach(
                        i -> {
                            underWay.get(i).done();
                            assertThat(pending.size()).isEqualTo(max - 1);
                            pending.add(job.handle("next" + i, 0), 0);
                        });
        assertThat(letGo.getCount()).isEqualTo(max);
        assertThat(pending.size()).isEqualTo(max);
        assertThat(pending.snapshot(2)).hasSize(max);
    }

    private void receive(int liteTopics) throws Exception {
        for (int i = 0; i < liteTopics; i++) {
            job.receive("t" + i, 0);
        }
    }
}
