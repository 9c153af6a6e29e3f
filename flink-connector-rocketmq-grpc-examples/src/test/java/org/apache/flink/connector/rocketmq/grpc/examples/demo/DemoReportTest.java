/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DemoReportTest {

    private static final DemoPlan PLAN = new DemoPlan(60, 200);
    private static final LatencyFigures FLOOD = new LatencyFigures(700, 9000, 12000, 35);

    @Test
    void everythingHoldsWhenItDoes() {
        DemoReport report = report(good(), hot(3.1), cold(400), 0);

        assertThat(failed(report)).isEmpty();
        assertThat(report.holds()).isTrue();
        assertThat(report.toText()).contains("without throttling", "with throttling", "1000 ms");
        assertThat(report.toText()).doesNotContain("FAIL");
    }

    @Test
    void messageNeverWorkedOnIsLostByCount() {
        DemoReport report = report(good().load(1000, 1), hot(3), cold(400), 0);

        assertThat(failed(report)).containsExactly("lost, by count");
        assertThat(report.toJson()).containsEntry("lost", 1L).containsEntry("lostByCount", 1L);
    }

    @Test
    void offsetNotCommittedIsLostByOffset() {
        DemoReport report = report(good(), hot(3), cold(400), 3);

        assertThat(failed(report)).containsExactly("lost, by offset at the broker");
        assertThat(report.toJson()).containsEntry("lost", 3L).containsEntry("lostByOffset", 3L);
    }

    @Test
    void onePercentOfWorkDoneAgainIsTooMuch() {
        assertThat(failed(report(good().work(1100, 1000, 15), hot(3), cold(400), 0))).isEmpty();
        assertThat(failed(report(good().work(1100, 1000, 20), hot(3), cold(400), 0)))
                .containsExactly("work done again");
    }

    @Test
    void everyDeferredDeliveryCostsOneRequest() {
        assertThat(failed(report(good().deferred(25, 26), hot(3), cold(400), 0)))
                .containsExactly("requests per deferred delivery");
        assertThat(failed(report(good().deferred(0, 0), hot(3), cold(400), 0)))
                .containsExactly("requests per deferred delivery");
    }

    @Test
    void hotRateMayBeFifteenPercentOff() {
        assertThat(failed(report(good(), hot(3.44), cold(400), 0))).isEmpty();
        assertThat(failed(report(good(), hot(2.56), cold(400), 0))).isEmpty();
        assertThat(failed(report(good(), hot(3.46), cold(400), 0)))
                .containsExactly("throttled hot rate");
        assertThat(failed(report(good(), hot(2.54), cold(400), 0)))
                .containsExactly("throttled hot rate");
    }

    @Test
    void shortWindowMayCutOffOneBurst() {
        DemoReport report =
                new DemoReport(
                        new DemoPlan(10, 200), flood(), result(good(), hot(4.05), cold(400), 0));

        assertThat(failed(report)).isEmpty();
    }

    @Test
    void coldLatencyMustBeHalved() {
        assertThat(failed(report(good(), hot(3), cold(501), 0)))
                .containsExactly("cold p99 with throttling");
        DemoReport noSample = report(good(), hot(3), new LatencyFigures(0, 0, 0, 0), 0);
        assertThat(failed(noSample)).containsExactly("cold p99 with throttling");
    }

    @Test
    void jsonHasBothPhasesOfBothKinds() {
        Map<String, Object> json = report(good(), hot(3), cold(400), 0).toJson();

        assertThat(json)
                .containsEntry("sent", 2000L)
                .containsEntry("processed", 2000L)
                .containsEntry("duplicates", 0L)
                .containsEntry("deferredDeliveries", 25L)
                .containsEntry("deferRpcs", 25L)
                .containsEntry("holds", true);
        assertThat(json.get("cold")).extracting("throttled").isEqualTo(cold(400).toJson());
        assertThat(json.get("hot")).extracting("unthrottled").isEqualTo(FLOOD.toJson());
        assertThat(FLOOD.toJson()).containsOnlyKeys("p50Ms", "p99Ms", "perSecond");
    }

    private static Counts.Builder good() {
        return new Counts.Builder()
                .load(1000, 0)
                .work(1100, 1000, 0)
                .acks(1000, 0)
                .deferred(25, 25);
    }

    private static LatencyFigures hot(double perSecond) {
        return new LatencyFigures(160, 20000, 30000, perSecond);
    }

    private static LatencyFigures cold(double p99Ms) {
        return new LatencyFigures(600, 50, p99Ms, 20);
    }

    private static PhaseResult flood() {
        return result(good().deferred(0, 0), FLOOD, cold(1000), 0);
    }

    private static PhaseResult result(
            Counts.Builder counts, LatencyFigures hot, LatencyFigures cold, long lostByOffset) {
        return new PhaseResult(counts.build(), hot, cold, lostByOffset);
    }

    private static DemoReport report(
            Counts.Builder counts, LatencyFigures hot, LatencyFigures cold, long lostByOffset) {
        return new DemoReport(PLAN, flood(), result(counts, hot, cold, lostByOffset));
    }

    private static List<String> failed(DemoReport report) {
        return report.checks().stream()
                .filter(check -> !check.holds())
                .map(Check::name)
                .collect(Collectors.toList());
    }
}
