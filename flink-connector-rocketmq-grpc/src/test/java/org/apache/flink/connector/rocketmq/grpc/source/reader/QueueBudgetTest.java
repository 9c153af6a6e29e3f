/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QueueBudgetTest {

    private static final int MIB = 1 << 20;

    private long mayWait = WaitingTimes.ANY;
    private final QueueBudget budget = new QueueBudget(4 * MIB, () -> mayWait);

    @Test
    void beginsCarefullyBecauseNoSizeIsKnown() {
        assertThat(budget.reserve(32).messages()).isEqualTo(8);
        assertThat(budget.reserve(2).messages()).isEqualTo(2);
    }

    @Test
    void asksForEverythingWantedWhenMessagesAreSmall() {
        receive(8, 8 * 100);

        assertThat(budget.reserve(32).messages()).isEqualTo(32);
    }

    @Test
    void asksForWhatIsExpectedToFit() {
        receive(1, MIB);

        assertThat(budget.reserve(32).messages()).isEqualTo(3);
    }

    @Test
    void countsWhatOtherPollsReserved() {
        receive(1, MIB);
        budget.reserve(2);

        assertThat(budget.reserve(32).messages()).isEqualTo(1);
    }

    @Test
    void reservationsAloneNeverKeepAnotherBrokerFromBeingPolled() {
        receive(1, MIB);
        budget.reserve(32);

        assertThat(budget.reserve(32).messages()).isEqualTo(1);
        assertThat(budget.reserve(32).messages()).isEqualTo(1);
    }

    @Test
    void asksForNoMoreMessagesThanMayWait() {
        receive(8, 8 * 100);
        mayWait = 20;

        assertThat(budget.reserve(8).messages()).isEqualTo(8);
        assertThat(budget.reserve(32).messages()).isEqualTo(4);
        assertThat(budget.reserve(32).messages()).as("a poll for one is granted").isEqualTo(1);
    }

    @Test
    void refusesWhenAsManyWaitAsMay() {
        receive(8, 8 * 100);
        mayWait = 7;

        assertThat(budget.reserve(1)).isNull();
        assertThat(budget.giveBack(100)).isFalse();
        assertThat(budget.giveBack(100)).isTrue();
        assertThat(budget.reserve(32).messages()).isEqualTo(1);
    }

    @Test
    void refusesWhenTheBoundIsReachedAndSaysOnceWhenItIsWorthAskingAgain() {
        receive(4, 4 * MIB);

        assertThat(budget.reserve(1)).isNull();
        assertThat(budget.giveBack(MIB)).isTrue();
        assertThat(budget.giveBack(MIB)).isFalse();
        assertThat(budget.reserve(1)).isNotNull();
    }

    @Test
    void saysNothingWhileStillOverTheBound() {
        receive(6, 6 * MIB);

        assertThat(budget.reserve(1)).isNull();
        assertThat(budget.giveBack(MIB)).isFalse();
        assertThat(budget.giveBack(MIB)).isFalse();
        assertThat(budget.giveBack(MIB)).isTrue();
    }

    @Test
    void passesTheBoundByAtMostOneBatch() {
        receive(8, 8 * 100);
        QueueBudget.Grant grant = budget.reserve(32);
        budget.settle(grant, 32, 32L * MIB);

        assertThat(budget.waitingBytes()).isEqualTo(800 + 32L * MIB);
        assertThat(budget.reserve(32)).isNull();
    }

    @Test
    void theEstimateRisesAtOnceAndSinksSlowly() {
        receive(1, 100);
        receive(1, MIB);
        assertThat(budget.reserve(32).messages()).isEqualTo(2);
        receive(1, 100);

        assertThat(budget.reserve(32).messages()).isLessThan(8);
        for (int i = 0; i < 40; i++) {
            receive(1, 100);
        }
        assertThat(budget.reserve(32).messages()).isEqualTo(32);
    }

    @Test
    void emptyBodiesAreBoundedToo() {
        receive(8, 0);

        assertThat(budget.reserve(32).messages()).isEqualTo(32);
        assertThat(budget.waitingMessages()).isEqualTo(8);
    }

    @Test
    void countsWhatWaits() {
        receive(3, 300);
        budget.giveBack(100);

        assertThat(budget.waitingMessages()).isEqualTo(2);
        assertThat(budget.waitingBytes()).isEqualTo(200);
    }

    private void receive(int messages, long bytes) {
        budget.settle(budget.reserve(messages), messages, bytes);
    }
}
