/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Recorder;
import org.junit.jupiter.api.Test;

class LatencyTrackTest {

    private final Recorder micros = new Recorder(3);
    private final LatencyTrack track = new LatencyTrack(micros);

    @Test
    void windowHoldsWhatCameWhileItWasOpen() {
        micros.recordValue(9_000_000);
        track.openWindow();
        micros.recordValue(10_000);
        track.endInterval();
        micros.recordValue(20_000);
        track.closeWindow();
        micros.recordValue(9_000_000);
        track.endInterval();

        LatencyFigures window = track.windowFigures(4);

        assertThat(window.count()).isEqualTo(2);
        assertThat(window.perSecond()).isEqualTo(0.5);
        assertThat(window.p50Ms()).isBetween(10.0, 10.1);
        assertThat(window.p99Ms()).isBetween(20.0, 20.1);
    }

    @Test
    void intervalHoldsWhatCameSinceTheLastOne() {
        micros.recordValue(5_000);
        assertThat(track.endInterval().count()).isEqualTo(1);

        assertThat(track.endInterval().count()).isZero();
    }
}
