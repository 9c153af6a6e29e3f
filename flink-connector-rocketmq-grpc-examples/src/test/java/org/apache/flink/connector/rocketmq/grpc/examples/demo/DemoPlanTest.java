/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoPlanTest {

    private static final int LARGEST_DELIVERY = 32;

    @Test
    void loadsOfBothPhasesAddUpToTheSeconds() {
        DemoPlan plan = new DemoPlan(61, 100);

        assertThat(plan.load(Phase.UNTHROTTLED).plus(plan.load(Phase.THROTTLED)))
                .isEqualTo(Duration.ofSeconds(61));
    }

    @ParameterizedTest
    @ValueSource(ints = {DemoPlan.MIN_SECONDS, 60, DemoPlan.MAX_SECONDS})
    void warmUpIsAtMostAFifthAndNeverLong(int seconds) {
        DemoPlan plan = new DemoPlan(seconds, 100);

        for (Phase phase : Phase.values()) {
            assertThat(plan.warmUp(phase))
                    .isPositive()
                    .isLessThanOrEqualTo(plan.load(phase).dividedBy(5))
                    .isLessThanOrEqualTo(Duration.ofSeconds(4));
            assertThat(plan.window(phase).plus(plan.warmUp(phase))).isEqualTo(plan.load(phase));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, 0, 9, 3601})
    void secondsOutOfRangeAreRefused(int seconds) {
        assertThatThrownBy(() -> new DemoPlan(seconds, 100))
                .hasMessage("--seconds: " + seconds + " (expected: 10 to 3600)");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 9, 10_001})
    void tenantsOutOfRangeAreRefused(int tenants) {
        assertThatThrownBy(() -> new DemoPlan(60, tenants))
                .hasMessage("--tenants: " + tenants + " (expected: 10 to 10000)");
    }

    @Test
    void onlyTheHotTenantIsAboveTheBucketAndAloneAboveTheCapacity() {
        double capacity = DemoPlan.PARALLELISM * 1000.0 / DemoPlan.WORK.toMillis();

        assertThat((double) DemoPlan.HOT_PER_SECOND).isGreaterThan(capacity);
        assertThat(DemoPlan.HOT_PER_SECOND).isGreaterThan(4 * DemoPlan.BUCKET_PER_SECOND);
        assertThat(DemoPlan.COLD_PER_SECOND / (double) DemoPlan.MIN_TENANTS)
                .isLessThan(DemoPlan.BUCKET_PER_SECOND);
        assertThat((double) DemoPlan.COLD_PER_SECOND).isLessThan(capacity / 2);
    }

    @Test
    void bucketLetsThroughMuchLessAtOnceThanTheLargestDelivery() {
        assertThat(DemoPlan.BUCKET_BURST).isLessThanOrEqualTo(LARGEST_DELIVERY / 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {DemoPlan.MIN_TENANTS, 200})
    void someColdTenantsShareTheWorkerOfTheHotOne(int tenants) {
        int hotWorker = worker(Tenants.HOT);

        long besideIt =
                IntStream.range(0, tenants)
                        .filter(tenant -> worker(Tenants.cold(tenant)) == hotWorker)
                        .count();

        assertThat(besideIt).isBetween(1L, tenants / 2L);
    }

    private static int worker(String liteTopic) {
        int maxParallelism =
                KeyGroupRangeAssignment.computeDefaultMaxParallelism(DemoPlan.PARALLELISM);
        return KeyGroupRangeAssignment.assignKeyToParallelOperator(
                liteTopic, maxParallelism, DemoPlan.PARALLELISM);
    }
}
