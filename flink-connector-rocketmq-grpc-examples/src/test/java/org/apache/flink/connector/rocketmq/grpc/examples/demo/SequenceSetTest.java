/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SequenceSetTest {

    private final SequenceSet sent = new SequenceSet();
    private final SequenceSet worked = new SequenceSet();

    @Test
    void addSaysWhetherTheSequenceIsNew() {
        assertThat(sent.add(7)).isTrue();
        assertThat(sent.add(7)).isFalse();
        assertThat(sent.size()).isEqualTo(1);
    }

    @Test
    void missingCountsOnlyWhatTheOtherLacks() {
        sent.add(0);
        sent.add(1);
        sent.add(64);
        worked.add(1);
        worked.add(2);

        assertThat(sent.missingIn(worked)).isEqualTo(2);
        assertThat(sent.size()).as("unchanged").isEqualTo(3);
    }
}
