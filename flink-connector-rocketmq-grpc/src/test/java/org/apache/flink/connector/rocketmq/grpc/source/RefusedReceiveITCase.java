/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.Code;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.ExceptionUtils;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that lets the source start and then refuses to give it anything. */
@Timeout(180)
class RefusedReceiveITCase {

    /** One poll and what Flink needs to fail a job. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(1)
                            .build());

    @Test
    void aLastingUnauthorizedFailsTheJobAndNamesEndpointTopicGroupAndCode() throws Exception {
        // case 26, the fatal half
        try (FakeProxy proxy = FakeProxy.start()) {
            proxy.createLiteTopic("main");
            proxy.createLiteGroup("GID-refused", "main");
            proxy.script(Rpc.RECEIVE).answer(Code.UNAUTHORIZED);
            try (SourceJob job = SourceJob.with(proxy.endpoints(), "main", "GID-refused").start()) {
                assertThatThrownBy(
                                () ->
                                        job.client()
                                                .getJobExecutionResult()
                                                .get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .satisfies(
                                failure ->
                                        assertThat(ExceptionUtils.stringifyException(failure))
                                                .contains("receiving failed, topic main")
                                                .contains("group GID-refused")
                                                .contains("endpoints " + proxy.endpoints())
                                                .contains("broker " + FakeProxy.BROKER_A)
                                                .contains("code UNAUTHORIZED"));
                assertThat(job.client().getJobStatus().get()).isEqualTo(JobStatus.FAILED);
                assertThat(proxy.count(Rpc.RECEIVE)).isEqualTo(1);
            }
            await().atMost(LIMIT).until(() -> proxy.openConnections() == 0);
        }
    }
}
