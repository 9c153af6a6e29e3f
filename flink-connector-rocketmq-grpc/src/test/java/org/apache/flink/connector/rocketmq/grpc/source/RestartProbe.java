/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.flink.connector.rocketmq.grpc.testing.LiteTopicFixture;

/** Measures how fast a job reads again after a part of the server was away. */
final class RestartProbe {

    private static final int LITE_TOPICS = 25;
    private static final int ROUNDS = 20;
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final LiteTopicFixture fixture;
    private final SourceJob job;
    private int sent;

    RestartProbe(LiteTopicFixture fixture, SourceJob job) {
        this.fixture = fixture;
        this.job = job;
    }

    /** Sends a message as soon as one can be stored; returns when the job has it. */
    Duration newMessage() {
        long begun = System.nanoTime();
        String value = "new-" + ++sent;
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .until(
                        () -> {
                            fixture.send(value, value);
                            return true;
                        });
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(() -> job.count(value) > 0);
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    /** The first message of all; returns when its ack is through, so every session stands. */
    void warmUp() {
        newMessage();
        await().atMost(LIMIT).until(() -> fixture.backlog() == 0);
    }

    /** Holds up the job and sends more than its reader takes in. */
    void pileUp() throws Exception {
        job.gate().shut();
        fixture.sendRounds(LITE_TOPICS, ROUNDS);
    }

    /** Lets the job go on; returns when it has everything that was piled up. */
    Duration drain() {
        long begun = System.nanoTime();
        job.gate().open();
        Set<String> piled = new HashSet<>();
        for (int i = 0; i < LITE_TOPICS; i++) {
            for (int round = 0; round < ROUNDS; round++) {
                piled.add("lt-" + i + "#" + round);
            }
        }
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> job.values().containsAll(piled));
        return Duration.ofNanos(System.nanoTime() - begun);
    }
}
