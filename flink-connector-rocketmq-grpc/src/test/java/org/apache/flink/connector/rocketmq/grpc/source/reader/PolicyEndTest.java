/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.deserializer.RocketMQDeserializationSchema;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.InvisibleDurationRenewalPolicy;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.RenewalContext;
import org.apache.flink.connector.rocketmq.grpc.source.renewal.WaitingMessage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a renewal policy ends. */
@Timeout(60)
public class PolicyEndTest {

    private static final List<String> CALLS = new CopyOnWriteArrayList<>();

    @BeforeEach
    void nothingWasCalled() {
        CALLS.clear();
    }

    @Test
    void isClosedOnceWithTheReaderOnATimerWithTheUserClassLoader() throws Exception {
        RocketMQSourceReader<String> reader = reader(options(Noted.class));
        reader.close();
        reader.close();

        assertThat(CALLS).containsExactly("open", "close on rocketmq-source-timer-0");
    }

    @Test
    void isClosedOnceWhenItsOpenFails() {
        assertThatThrownBy(() -> reader(options(FailsToOpen.class)))
                .hasMessageContaining("failed to open: java.io.IOException: no file");

        assertThat(CALLS).containsExactly("open", "close on rocketmq-source-timer-0");
    }

    @Test
    void isClosedOnceWhenTheCredentialsOfTheReaderCannotBeMade() {
        Configuration options = options(Noted.class);
        options.set(RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS, "no.such.Resolver");
        assertThatThrownBy(() -> reader(options)).hasMessageContaining("no.such.Resolver");

        assertThat(CALLS).containsExactly("open", "close on rocketmq-source-timer-0");
    }

    @Test
    void aCloseThatFailsFailsNothing() throws Exception {
        reader(options(FailsToClose.class)).close();

        assertThat(CALLS).containsExactly("open", "close on rocketmq-source-timer-0");
    }

    @Test
    void aCloseThatBlocksIsInterruptedAndLeftAndAnInterruptOfTheCallerIsKept() throws Exception {
        Thread.currentThread().interrupt();
        TimerThread asking = new TimerThread(7, getClass().getClassLoader());
        PolicyEnd.close(new Blocks(), asking, new TimerThread(8, getClass().getClassLoader()));

        assertThat(Thread.interrupted()).isTrue();
        await().untilAsserted(
                        () -> assertThat(CALLS).containsExactly("close begins", "interrupted"));
    }

    @Test
    void isNotClosedWhileItIsAsked() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        TimerThread asking = new TimerThread(7, getClass().getClassLoader());
        asking.after(
                Duration.ZERO,
                () -> {
                    asked.countDown();
                    while (goesOn.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                });
        asked.await();
        PolicyEnd.close(new Noted(), asking, new TimerThread(8, getClass().getClassLoader()));
        goesOn.countDown();

        assertThat(CALLS).isEmpty();
    }

    private static Configuration options(Class<?> policy) {
        return Configs.options()
                .set(RocketMQGrpcSourceOptions.RENEWAL_POLICY_CLASS, policy.getName());
    }

    private static RocketMQSourceReader<String> reader(Configuration options) {
        ScriptedConsumer consumer = new ScriptedConsumer("broker-a");
        return RocketMQSourceReader.create(
                SourceConfig.from(options),
                RocketMQDeserializationSchema.valueOnly(new SimpleStringSchema()),
                config -> consumer,
                new FakeReaderContext(new Configuration(), new CountedMetrics().group()));
    }

    /** Notes what is called. */
    public static class Noted implements InvisibleDurationRenewalPolicy {
        @Override
        public void open(RenewalContext context) throws Exception {
            CALLS.add("open");
        }

        @Override
        public Duration renewalOf(WaitingMessage message) {
            return null;
        }

        @Override
        public void close() throws Exception {
            CALLS.add("close on " + Thread.currentThread().getName());
        }
    }

    /** Does not open. */
    public static final class FailsToOpen extends Noted {
        @Override
        public void open(RenewalContext context) throws Exception {
            super.open(context);
            throw new IOException("no file");
        }
    }

    /** Does not close. */
    public static final class FailsToClose extends Noted {
        @Override
        public void close() throws Exception {
            super.close();
            throw new IOException("no file");
        }
    }

    /** Waits for nothing until it is interrupted. */
    private static final class Blocks extends Noted {
        @Override
        public void close() throws InterruptedException {
            CALLS.add("close begins");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                CALLS.add("interrupted");
                throw e;
            }
        }
    }
}
