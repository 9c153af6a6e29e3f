/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiteOffsetsTest {

    @Test
    void theBacklogIsWhatIsNotCommitted() {
        assertThat(new LiteOffsets(3, 10).backlog()).isEqualTo(7);
        assertThat(new LiteOffsets(10, 10).backlog()).isZero();
    }

    @Test
    void anOffsetCommittedPastTheEndIsNoNegativeBacklog() {
        assertThat(new LiteOffsets(11, 10).backlog()).isZero();
    }

    @Test
    void equalOffsetsAreEqualValues() {
        assertThat(new LiteOffsets(1, 2))
                .isEqualTo(new LiteOffsets(1, 2))
                .hasSameHashCodeAs(new LiteOffsets(1, 2))
                .isNotEqualTo(new LiteOffsets(1, 3))
                .isNotEqualTo(new LiteOffsets(0, 2))
                .hasToString("1/2");
    }
}
