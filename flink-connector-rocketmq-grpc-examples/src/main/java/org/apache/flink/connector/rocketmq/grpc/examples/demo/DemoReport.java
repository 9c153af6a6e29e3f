/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Both phases side by side, and whether what the demo promises holds. Immutable. */
final class DemoReport {

    private static final double MAX_DUPLICATES = 0.01;
    private static final double RATE_TOLERANCE = 0.15;
    private static final double COLD_P99_AT_MOST = 0.5;

    private final DemoPlan plan;
    private final PhaseResult unthrottled;
    private final PhaseResult throttled;

    DemoReport(DemoPlan plan, PhaseResult unthrottled, PhaseResult throttled) {
        this.plan = plan;
        this.unthrottled = unthrottled;
        this.throttled = throttled;
    }

    /** Whether all checks hold. */
    boolean holds() {
        return checks().stream().allMatch(Check::holds);
    }

    /** What was promised. */
    List<Check> checks() {
        return Arrays.asList(
                nothingLost("lost, by count", lostByCount()),
                nothingLost("lost, by offset at the broker", lostByOffset()),
                workedOnce(),
                oneRequestPerDeferral(),
                hotRate(),
                coldLatency());
    }

    /** The fields of the JSON file. */
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("seconds", plan.seconds());
        json.put("tenants", plan.tenants());
        json.put("sent", sum(Counts::sent));
        json.put("processed", sum(Counts::worked));
        json.put("duplicates", sum(Counts::duplicates));
        json.put("lost", Math.max(lostByCount(), lostByOffset()));
        json.put("lostByCount", lostByCount());
        json.put("lostByOffset", lostByOffset());
        json.put("deferredDeliveries", sum(Counts::deferredDeliveries));
        json.put("deferRpcs", sum(Counts::deferRpcs));
        json.put("repeatedSends", sum(Counts::repeatedSends));
        json.put("unsettledAcks", sum(Counts::unsettled));
        json.put("bucketPerSecond", DemoPlan.BUCKET_PER_SECOND);
        json.put("hot", phases(PhaseResult::hot));
        json.put("cold", phases(PhaseResult::cold));
        json.put("holds", holds());
        return json;
    }

    /** The comparison and the checks, for people. */
    String toText() {
        StringBuilder text = new StringBuilder("\n");
        line(text, "", Phase.UNTHROTTLED.title(), Phase.THROTTLED.title());
        rows(text, "hot tenant", PhaseResult::hot);
        rows(text, "cold tenants", PhaseResult::cold);
        text.append('\n');
        for (Check check : checks()) {
            text.append(
                    String.format(
                            Locale.ROOT,
                            "  %-4s  %-32s asked: %-28s came out: %s%n",
                            check.holds() ? "ok" : "FAIL",
                            check.name(),
                            check.asked(),
                            check.cameOut()));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String first, String second) {
        text.append(String.format(Locale.ROOT, "  %-28s %20s %20s%n", name, first, second));
    }

    private void rows(
            StringBuilder text, String who, Function<PhaseResult, LatencyFigures> figures) {
        LatencyFigures before = figures.apply(unthrottled);
        LatencyFigures after = figures.apply(throttled);
        line(text, who + ", per second", rate(before), rate(after));
        line(text, who + ", p50", millis(before.p50Ms()), millis(after.p50Ms()));
        line(text, who + ", p99", millis(before.p99Ms()), millis(after.p99Ms()));
    }

    private static String rate(LatencyFigures figures) {
        return String.format(Locale.ROOT, "%.1f", figures.perSecond());
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.0f ms", value);
    }

    private Map<String, Object> phases(Function<PhaseResult, LatencyFigures> figures) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put(Phase.UNTHROTTLED.key(), figures.apply(unthrottled).toJson());
        json.put(Phase.THROTTLED.key(), figures.apply(throttled).toJson());
        return json;
    }

    private static Check nothingLost(String name, long lost) {
        return new Check(name, "0", Long.toString(lost), lost == 0);
    }

    private Check workedOnce() {
        long duplicates = sum(Counts::duplicates);
        double share = (double) duplicates / Math.max(1, sum(Counts::worked));
        return new Check(
                "work done again",
                "below 1 % of messages",
                String.format(
                        Locale.ROOT,
                        "%d (%.2f %%), %d sends repeated, %d acks too late",
                        duplicates,
                        share * 100,
                        sum(Counts::repeatedSends),
                        sum(Counts::unsettled)),
                share < MAX_DUPLICATES);
    }

    private Check oneRequestPerDeferral() {
        long deliveries = sum(Counts::deferredDeliveries);
        long rpcs = sum(Counts::deferRpcs);
        return new Check(
                "requests per deferred delivery",
                "1, and some deferred",
                rpcs + " for " + deliveries,
                rpcs == deliveries && deliveries > 0);
    }

    private Check hotRate() {
        double asked = DemoPlan.BUCKET_PER_SECOND;
        double rate = throttled.hot().perSecond();
        double tolerance = asked * RATE_TOLERANCE + edges(plan.window(Phase.THROTTLED));
        return new Check(
                "throttled hot rate",
                String.format(Locale.ROOT, "%.1f/s, +- %.2f", asked, tolerance),
                String.format(Locale.ROOT, "%.2f/s", rate),
                Math.abs(rate - asked) <= tolerance);
    }

    /** A window too short for many bursts may cut one off: one burst more or less is no error. */
    private static double edges(Duration window) {
        boolean isLong = window.compareTo(DemoPlan.LONG_WINDOW) >= 0;
        return isLong ? 0 : DemoPlan.BUCKET_BURST * 1000.0 / window.toMillis();
    }

    private Check coldLatency() {
        double before = unthrottled.cold().p99Ms();
        double after = throttled.cold().p99Ms();
        return new Check(
                "cold p99 with throttling",
                String.format(Locale.ROOT, "at most %s (half)", millis(before * COLD_P99_AT_MOST)),
                millis(after),
                throttled.cold().count() > 0 && after <= before * COLD_P99_AT_MOST);
    }

    private long lostByCount() {
        return sum(Counts::notWorked);
    }

    private long lostByOffset() {
        return unthrottled.lostByOffset() + throttled.lostByOffset();
    }

    private long sum(ToLongFunction<Counts> count) {
        return count.applyAsLong(unthrottled.counts()) + count.applyAsLong(throttled.counts());
    }
}
