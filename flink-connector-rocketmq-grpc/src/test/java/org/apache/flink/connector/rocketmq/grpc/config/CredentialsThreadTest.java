/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CredentialsThreadTest {

    @Test
    void itsContextClassLoaderIsNotThatOfTheJobWhichCameFirst() throws Exception {
        Thread task = Thread.currentThread();
        ClassLoader before = task.getContextClassLoader();
        CompletableFuture<ClassLoader> seen = new CompletableFuture<>();
        CredentialsThread thread = new CredentialsThread();
        try (URLClassLoader job = new URLClassLoader(new URL[0], before)) {
            task.setContextClassLoader(job);
            thread.execute(() -> seen.complete(Thread.currentThread().getContextClassLoader()));

            assertThat(seen.get(30, TimeUnit.SECONDS))
                    .isSameAs(CredentialsThread.class.getClassLoader());
        } finally {
            task.setContextClassLoader(before);
            thread.close();
        }
    }
}
