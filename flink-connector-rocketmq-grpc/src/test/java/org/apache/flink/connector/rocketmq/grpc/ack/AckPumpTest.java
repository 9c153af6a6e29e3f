/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.flink.connector.rocketmq.grpc.config.AckConfig;
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
    void atAnOrderlyEndAllOfTwelveThousandLeaveThoughFewMayBeUnderWay() throws Exception {
        int count = 12_000;
        ExecutorService network = Executors.newSingleThreadExecutor();
        job.server.answerAcksOn(network);
        job.options.set(RocketMQGrpcAckOptions.MAX_PENDING, count);
        job.options.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 8);
        job.options.set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofMinutes(1));
        job.open();
        receive(count);
        job.snapshot(1);
        job.complete(1);
        endInOrder();
        network.shutdown();

        assertThat(job.acked()).hasSize(count).doesNotHaveDuplicates();
        job.close();
    }

    @Test
    void atAnOrderlyEndWhatWaitsBehindAGapGoesOutThoughItsTurnCameLate() throws Exception {
        job.options.set(RocketMQGrpcAckOptions.MAX_IN_FLIGHT, 4);
        job.options.set(RocketMQGrpcAckOptions.ORDER_TIMEOUT, Duration.ofMinutes(1));
        job.options.set(RocketMQGrpcAckOptions.CLOSE_TIMEOUT, Duration.ofSeconds(30));
        job.server.answerByHand();
        job.open();
        receive(10);
        job.receive("gap", 3);
        job.snapshot(1);
        job.complete(1);
        // after the 2 s that others have to fill gaps
        CompletableFuture<Void> answers =
                CompletableFuture.runAsync(
                        () -> {
                            job.server.answerAtOnce();
                            job.server.answerLastAck();
                        },
                        CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS));
        endInOrder();
        answers.join();

        assertThat(job.acked()).hasSize(11).contains("gap3");
        job.close();
    }

    @Test
    void fullOfAcksWithoutAnswerElementsAreStillEmittedAndTheNextAnswersMakeRoom()
            throws Exception {
        int max = 1_000;
        job.options.set(RocketMQGrpcAckOptions.MAX_PENDING, max);
        job.server.answerByHand();
        job.open();
        receive(max);
        job.snapshot(1);
        job.complete(1);
        receiveMore("beyond", 2 * max);
        assertThat(job.harness.extractOutputValues()).as("each value").hasSize(3 * max);
        assertThat(job.function.letGo()).as("each handle beyond").isEqualTo(2 * max);

        job.server.answerAtOnce();
        job.server.answerLastAck();
        Awaitility.await().untilAsserted(() -> assertThat(job.acked()).hasSize(max));
        receiveMore("next", max);
        assertThat(job.function.letGo()).isEqualTo(2 * max);
        job.snapshot(2);
        job.complete(2);
        assertThat(job.acked()).hasSize(2 * max).contains("next00").doesNotContain("beyond00");
        job.close();
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

    /** As a task that came to the end of its input does; the harness only knows the other end. */
    private void endInOrder() {
        AckConfig config = AckConfig.from(job.options);
        new OperatorEnd(config, job.client, new UnfinishedMessages(new AtomicLong()))
                .run(true, true);
    }

    private void receive(int liteTopics) throws Exception {
        receiveMore("t", liteTopics);
    }

    private void receiveMore(String name, int liteTopics) throws Exception {
        for (int i = 0; i < liteTopics; i++) {
            job.receive(name + i, 0);
        }
    }
}
