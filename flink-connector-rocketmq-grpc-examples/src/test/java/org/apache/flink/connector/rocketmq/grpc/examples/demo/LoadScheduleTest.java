/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadScheduleTest {

    private static final long START = 1_000_000_007L;

    @Test
    void bothRatesHoldExactly() {
        List<LoadSchedule.Due> all = all(new LoadSchedule(Duration.ofSeconds(10), 120, 20, 50));

        assertThat(all).filteredOn(due -> due.message().isHot()).hasSize(1200);
        assertThat(all)
                .filteredOn(due -> !due.message().isHot() && !due.message().isGreeting())
                .hasSize(200);
    }

    @Test
    void everyColdTenantGreetsOnceBeforeTheLoad() {
        List<LoadSchedule.Due> all = all(new LoadSchedule(Duration.ofSeconds(1), 100, 10, 50));

        assertThat(all.subList(0, 50))
                .allMatch(due -> due.message().isGreeting() && !due.message().isHot())
                .extracting(LoadSchedule.Due::liteTopic)
                .doesNotHaveDuplicates()
                .doesNotContain(Tenants.HOT);
        assertThat(all.subList(50, all.size())).noneMatch(due -> due.message().isGreeting());
        assertThat(all.get(50).message().getDueNanos())
                .isEqualTo(START + LoadSchedule.greeting(50).toNanos());
    }

    @Test
    void sequencesHaveNoGapAndTimesNeverStepBack() {
        List<LoadSchedule.Due> all = all(new LoadSchedule(Duration.ofSeconds(3), 100, 30, 7));

        assertThat(all)
                .extracting(due -> due.message().getSequence())
                .containsExactlyElementsOf(
                        IntStream.range(0, all.size()).boxed().collect(Collectors.toList()));
        assertThat(all).extracting(due -> due.message().getDueNanos()).isSorted();
        assertThat(all.get(0).message().getDueNanos()).isEqualTo(START);
    }

    @Test
    void coldTenantsTakeTurnsAndTheHotOneHasItsOwnLiteTopic() {
        List<LoadSchedule.Due> all = all(new LoadSchedule(Duration.ofSeconds(10), 50, 20, 40));

        Map<String, Long> perTopic =
                all.stream()
                        .collect(
                                Collectors.groupingBy(
                                        LoadSchedule.Due::liteTopic, Collectors.counting()));
        assertThat(perTopic).hasSize(41).containsEntry(Tenants.HOT, 500L);
        perTopic.remove(Tenants.HOT);
        assertThat(perTopic.values()).containsOnly(6L);
    }

    @Test
    void noColdTenantIsEverAboveTheBucket() {
        LoadSchedule schedule =
                new LoadSchedule(
                        Duration.ofSeconds(60),
                        DemoPlan.HOT_PER_SECOND,
                        DemoPlan.COLD_PER_SECOND,
                        DemoPlan.MIN_TENANTS);

        Map<String, List<Long>> times =
                all(schedule).stream()
                        .filter(due -> !due.message().isHot())
                        .collect(
                                Collectors.groupingBy(
                                        LoadSchedule.Due::liteTopic,
                                        Collectors.mapping(
                                                due -> due.message().getDueNanos(),
                                                Collectors.toList())));
        long second = Duration.ofSeconds(1).toNanos();
        for (List<Long> ofTenant : times.values()) {
            for (int i = DemoPlan.BUCKET_BURST; i < ofTenant.size(); i++) {
                assertThat(ofTenant.get(i) - ofTenant.get(i - DemoPlan.BUCKET_BURST))
                        .isGreaterThan(second);
            }
        }
    }

    @Test
    void takingBeyondTheEndIsRefused() {
        LoadSchedule schedule = new LoadSchedule(Duration.ofMillis(1), 1, 1, 1);
        all(schedule);

        assertThatThrownBy(() -> schedule.take(START)).hasMessage("the schedule has ended");
    }

    private static List<LoadSchedule.Due> all(LoadSchedule schedule) {
        List<LoadSchedule.Due> all = new ArrayList<>();
        while (schedule.nextDueNanos() >= 0) {
            all.add(schedule.take(START));
        }
        return all;
    }
}
