/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.connector.rocketmq.grpc.source.reader.Messages;
import org.apache.rocketmq.grpc.lite.LiteMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Renewing against freezing. */
@Timeout(60)
class WaitingLeaseTest {

    private static final long LEASE = 60_000;

    @Test
    void whatIsFrozenIsTheNewestHandleIssuedBeforeAndNoRenewalBeginsAfterwards() throws Exception {
        for (int round = 0; round < 1000; round++) {
            WaitingLease lease =
                    new WaitingLease(
                            Messages.message("a", round).leaseEndMillis(LEASE).build(),
                            Duration.ofMillis(LEASE));
            AtomicInteger issued = new AtomicInteger();
            AtomicInteger begunAfterFreeze = new AtomicInteger();
            AtomicReference<LiteMessage> emitted = new AtomicReference<>();
            AtomicInteger issuedBefore = new AtomicInteger(-1);
            CyclicBarrier start = new CyclicBarrier(2);
            int freezeAfter = round % 50;
            Thread renewing =
                    new Thread(
                            () -> {
                                passed(start);
                                boolean going = true;
                                while (going) {
                                    CompletableFuture<String> answer =
                                            lease.begin(
                                                    message -> {
                                                        if (emitted.get() != null) {
                                                            begunAfterFreeze.incrementAndGet();
                                                        }
                                                        return new CompletableFuture<>();
                                                    });
                                    going = answer != null;
                                    if (going) {
                                        answer.complete("");
                                        lease.renewed("h" + (issued.get() + 1), LEASE);
                                        issued.incrementAndGet();
                                    }
                                }
                            },
                            "renewing");
            renewing.start();
            passed(start);
            for (int i = 0; i < freezeAfter; i++) {
                Thread.onSpinWait();
            }
            issuedBefore.set(issued.get());
            emitted.set(lease.freeze());
            renewing.join();

            String handle = emitted.get().receiptHandle();
            int number = handle.startsWith("h") && handle.charAt(1) != 'a' ? numberOf(handle) : 0;
            // what was issued before the freeze began is the least, and nothing came after it
            assertThat(number).isGreaterThanOrEqualTo(issuedBefore.get());
            assertThat(lease.message().receiptHandle()).isEqualTo(handle);
            assertThat(begunAfterFreeze).hasValue(0);
        }
    }

    @Test
    void oneRenewalIsUnderWayAtATime() {
        WaitingLease lease =
                new WaitingLease(Messages.message("a", 0).build(), Duration.ofMillis(LEASE));
        CompletableFuture<String> answer = lease.begin(message -> new CompletableFuture<>());
        CompletableFuture<Void> settled = lease.settled();

        assertThat(lease.begin(message -> new CompletableFuture<>())).isNull();
        assertThat(settled).isNotDone();
        answer.completeExceptionally(new IllegalStateException());
        assertThat(settled).as("the lease does not know its handle yet").isNotDone();
        lease.notRenewed();
        assertThat(settled).isCompleted();
        assertThat(lease.settled()).isCompleted();
        assertThat(lease.begin(message -> new CompletableFuture<>())).isNotNull();
    }

    private static int numberOf(String handle) {
        return Integer.parseInt(handle.substring(1));
    }

    private static void passed(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
