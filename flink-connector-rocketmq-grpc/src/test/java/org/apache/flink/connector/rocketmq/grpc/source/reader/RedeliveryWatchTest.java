/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.clock.ManualClock;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The warning for a job in which nobody acknowledges. */
class RedeliveryWatchTest {

    private static final Duration LEASE = Duration.ofSeconds(60);

    private final ManualClock clock = new ManualClock();
    private final RedeliveryWatch watch = new RedeliveryWatch(clock, LEASE);
    private final Logger logger = (Logger) LogManager.getLogger(RedeliveryWatch.class);
    private final KeptLines lines = new KeptLines();

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.removeAppender(lines);
    }

    @Test
    void aJobInWhichNobodyAcksWarnsOnceAfterThreeLeases() {
        // case 18
        for (int round = 0; round < 8; round++) {
            assertThat(receive(0, 50)).isEqualTo(round == 0 ? 0 : 50);
            clock.advanceTime(LEASE);
        }

        assertThat(lines.texts)
                .singleElement()
                .asString()
                .startsWith(
                        "150 of the last 200 messages of topic LiteMainTopic were delivered before."
                                + " Does an operator downstream acknowledge"
                                + " (RocketMQAckProcessFunction)?");
    }

    @Test
    void fewRedeliveriesAreNoReasonToWarn() {
        for (int round = 0; round < 8; round++) {
            receive(100 * round, 60);
            receive(0, 20);
            clock.advanceTime(LEASE);
        }

        assertThat(lines.texts).isEmpty();
    }

    @Test
    void theWordOfTheServerCountsForMessagesThatAnotherSubtaskSaw() {
        List<LiteMessage> again = new ArrayList<>();
        again.add(Messages.message("a", 1).deliveryAttempt(2).build());
        again.add(Messages.message("a", 2).build());

        assertThat(watch.received(queued(again))).isEqualTo(1);
    }

    @Test
    void onlyTheLastMessagesAreRemembered() {
        receive(0, RedeliveryWatch.MOST_IDS + 1);

        assertThat(receive(0, 1)).isZero();
        assertThat(receive(RedeliveryWatch.MOST_IDS, 1)).isEqualTo(1);
    }

    private int receive(int first, int count) {
        List<LiteMessage> messages = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            messages.add(Messages.message("a", i).build());
        }
        return watch.received(queued(messages));
    }

    private static List<QueuedMessage> queued(List<LiteMessage> messages) {
        return QueuedMessage.ofAnswer(messages, LEASE, null);
    }

    /** Keeps what is logged. */
    private static final class KeptLines extends AbstractAppender {
        private final List<String> texts = new ArrayList<>();

        private KeptLines() {
            super("kept", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            texts.add(event.getMessage().getFormattedMessage());
        }
    }
}
