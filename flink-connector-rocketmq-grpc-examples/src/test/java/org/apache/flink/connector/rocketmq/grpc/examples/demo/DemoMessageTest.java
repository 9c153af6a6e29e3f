/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.junit.jupiter.api.Test;

class DemoMessageTest {

    @Test
    void bodyHoldsEveryField() {
        DemoMessage read =
                new DemoMessageSchema().deserialize(new DemoMessage(9, -5L, true, true).toBytes());

        assertThat(read.getSequence()).isEqualTo(9);
        assertThat(read.getDueNanos()).isEqualTo(-5L);
        assertThat(read.isHot()).isTrue();
        assertThat(read.isGreeting()).isTrue();
        DemoMessage plain = DemoMessage.fromBytes(new DemoMessage(0, 0, false, false).toBytes());
        assertThat(plain.isHot()).isFalse();
        assertThat(plain.isGreeting()).isFalse();
    }

    @Test
    void bodyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> DemoMessage.fromBytes(new byte[12]))
                .hasMessage("body: 12 bytes (expected: 14)");
    }

    @Test
    void flinkTakesItForAPojo() {
        assertThat(TypeInformation.of(DemoMessage.class)).isInstanceOf(PojoTypeInfo.class);
    }
}
