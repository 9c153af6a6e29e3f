/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.examples.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Lets a run end in order when the JVM is told to: the shutdown hook, thread {@code
 * rocketmq-demo-shutdown}, interrupts the running thread and waits for it, {@value #WAIT_SECONDS} s
 * at most.
 */
final class InterruptOnShutdown {

    private static final int WAIT_SECONDS = 15;

    private final CountDownLatch ended = new CountDownLatch(1);

    /** Runs it in the calling thread. */
    int run(IntSupplier body) {
        Thread runner = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> interruptAndWait(runner), "rocketmq-demo-shutdown"));
        try {
            return body.getAsInt();
        } finally {
            ended.countDown();
        }
    }

    private void interruptAndWait(Thread runner) {
        if (ended.getCount() == 0) {
            return;
        }
        runner.interrupt();
        try {
            ended.await(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
