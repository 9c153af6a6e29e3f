/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from handles, and what happens when nothing can be. */
class ReceiptHandlesTest {

    private static final String OF_5_5 = "0 1796068180036 10000 999 0 broker-a 0 3 4001";

    @Test
    void thePopTimeIsTheSecondField() {
        assertThat(ReceiptHandles.popTime(OF_5_5)).isEqualTo(1796068180036L);
    }

    @Test
    void theInvisibleTimeIsTheThirdField() {
        assertThat(ReceiptHandles.invisibleMillis(OF_5_5)).isEqualTo(10_000);
        assertThat(ReceiptHandles.invisibleMillis("opaque")).isZero();
        assertThat(ReceiptHandles.invisibleMillis("0 1796068180036 x 999 0 broker-a 0 3 4001"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "opaque",
                "0 x 10000 999 0 broker-a 0 3 4001",
                "0 -5 10000 999 0 broker-a 0 3 4001",
                "0  10000 999 0 broker-a 0 3 4001",
                "0 99999999999999999999 10000 999 0 broker-a 0 3 4001",
                "0 1796068180036 10000 999 0 broker-a 0 3",
                "0 1796068180036 10000 999 0 broker-a 0 3 4001 more",
            })
    void aHandleOfAnotherFormatTellsNothing(String handle) {
        assertThat(ReceiptHandles.popTime(handle)).isZero();
    }

    @Test
    void localNumbersGrowEvenWhenTheClockStandsOrGoesBack() {
        ReceiptHandles handles = new ReceiptHandles();
        long first = handles.nextLocal(1000);
        long second = handles.nextLocal(1000);
        long third = handles.nextLocal(500);
        assertThat(first).isEqualTo(1000);
        assertThat(second).isEqualTo(1001);
        assertThat(third).isEqualTo(1002);
        assertThat(handles.nextLocal(5000)).isEqualTo(5000);
    }

    // beside case 2
    @Test
    void anAnswerWithoutAHandleLeavesTheOldOne() {
        assertThat(ReceiptHandles.newest(OF_5_5, "")).isEqualTo(OF_5_5);
        assertThat(ReceiptHandles.newest(OF_5_5, " ")).isEqualTo(OF_5_5);
    }

    @Test
    void theMeaninglessHandleOfAnAckedMessageLeavesTheOldOne() {
        assertThat(ReceiptHandles.newest(OF_5_5, "0 0 0 0 0 broker-a 0 3 4001")).isEqualTo(OF_5_5);
    }

    @Test
    void anyOtherNewHandleIsTaken() {
        String renewed = "3 1796068180036 30000 999 0 broker-a 0 3 4001";
        assertThat(ReceiptHandles.newest(OF_5_5, renewed)).isEqualTo(renewed);
        assertThat(ReceiptHandles.newest("opaque-1", "opaque-2")).isEqualTo("opaque-2");
    }
}
