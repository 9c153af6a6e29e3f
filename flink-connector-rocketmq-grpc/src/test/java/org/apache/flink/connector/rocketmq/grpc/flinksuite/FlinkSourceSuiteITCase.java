/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.flinksuite;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import java.util.Set;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two tests of Flink's suite in every build; each takes about 20 s, most of which the server needs
 * to serve a group that is new.
 */
class FlinkSourceSuiteITCase extends FlinkSourceSuiteSoakCase {

    private static final Set<String> IN_EVERY_BUILD =
            Set.of("testScaleUp", "testTaskManagerFailure");

    @RegisterExtension
    static final ExecutionCondition OTHERS_IN_THE_SOAK_CASE =
            context ->
                    context.getTestMethod()
                                    .map(test -> IN_EVERY_BUILD.contains(test.getName()))
                                    .orElse(true)
                            ? enabled("in every build")
                            : disabled("FlinkSourceSuiteSoakCase runs it");
}
