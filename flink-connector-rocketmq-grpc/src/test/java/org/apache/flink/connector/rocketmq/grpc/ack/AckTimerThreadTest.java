/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.ack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AckTimerThreadTest {

    @Test
    void itsContextClassLoaderIsNotThatOfTheJobWhichCameFirst() throws Exception {
        Thread task = Thread.currentThread();
        ClassLoader before = task.getContextClassLoader();
        CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
        AckTimerThread timer = new AckTimerThread();
        try (URLClassLoader job = new URLClassLoader(new URL[0], before)) {
            task.setContextClassLoader(job);
            timer.schedule(0, () -> seen.complete(Thread.currentThread().getContextClassLoader()));

            assertThat(seen.get(30, TimeUnit.SECONDS))
                    .isSameAs(AckTimerThread.class.getClassLoader());
        } finally {
            task.setContextClassLoader(before);
            timer.close();
        }
    }
}
