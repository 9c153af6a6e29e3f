/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack.throttle;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One message after the other on a few lite topics, each awaited. Used by one thread. */
final class ColdTraffic {
    private final ThrottleScenario scenario;
    private final int liteTopics;
    private final List<Long> millis = new ArrayList<>();

    ColdTraffic(ThrottleScenario scenario, int liteTopics) {
        this.scenario = scenario;
        this.liteTopics = liteTopics;
    }

    void sendAndAwait() throws Exception {
        String liteTopic = "cold-" + millis.size() % liteTopics;
        int number = millis.size() / liteTopics;
        long begin = System.nanoTime();
        scenario.send(liteTopic, number, number + 1);
        await().atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> scenario.work().of(liteTopic).size() > number);
        millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }

    int sent() {
        return millis.size();
    }

    long percentile(int percent) {
        List<Long> sorted = millis.stream().sorted().collect(Collectors.toList());
        return sorted.get((sorted.size() - 1) * percent / 100);
    }

    @Override
    public String toString() {
        return sent()
                + " messages, p50 "
                + percentile(50)
                + " ms, p99 "
                + percentile(99)
                + " ms, max "
                + percentile(100)
                + " ms";
    }
}
