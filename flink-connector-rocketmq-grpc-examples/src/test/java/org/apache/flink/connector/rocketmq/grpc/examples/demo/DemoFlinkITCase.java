/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.common.JobID;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The demo's Flink, without RocketMQ. */
@Timeout(90)
class DemoFlinkITCase {

    @Test
    void failedJobIsReportedWithItsCause() throws Exception {
        try (DemoFlink flink = DemoFlink.start()) {
            JobID job = flink.submit(failingJob());

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(
                            () ->
                                    assertThatThrownBy(() -> flink.checkRunning(job))
                                            .isInstanceOf(IllegalStateException.class)
                                            .hasMessageContaining("the job ended: FAILED")
                                            .hasMessageContaining("scripted failure"));
        }
    }

    @Test
    void closeEndsARunningJobAndDeletesTheDirectory() throws Exception {
        Set<String> before = directories();
        DemoFlink flink = DemoFlink.start();
        JobID job = flink.submit(endlessJob());
        flink.checkRunning(job);
        assertThat(directories()).hasSizeGreaterThan(before.size());

        flink.close();

        assertThat(before).containsAll(directories());
    }

    private static StreamExecutionEnvironment failingJob() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
        env.fromSequence(1, 10)
                .map(
                        number -> {
                            if (number == 5) {
                                throw new IllegalArgumentException("scripted failure");
                            }
                            return number;
                        })
                .sinkTo(new DiscardingSink<>());
        return env;
    }

    private static StreamExecutionEnvironment endlessJob() {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
        env.fromSequence(1, Long.MAX_VALUE).sinkTo(new DiscardingSink<>());
        return env;
    }

    private static Set<String> directories() {
        String[] names =
                new File(System.getProperty("java.io.tmpdir"))
                        .list((parent, name) -> name.startsWith("rocketmq-demo-flink"));
        return new HashSet<>(Arrays.asList(names));
    }
}
