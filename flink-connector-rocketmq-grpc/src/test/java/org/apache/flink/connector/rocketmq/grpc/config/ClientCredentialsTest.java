/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.connector.rocketmq.grpc.testing.LogCapture;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.Endpoints;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A resolver is made by name, asked on a thread of its own, and closed with its owner. */
@Timeout(60)
class ClientCredentialsTest {

    private static final String RESOLVER = "rocketmq.client.credentials-resolver-class";

    @Test
    void withoutAnythingConfiguredRequestsAreNotSigned() {
        try (ClientCredentials credentials = open(Map.of())) {
            assertThat(credentials.sign(client("host:1")).credentials()).isEmpty();
        }
    }

    @Test
    void keysOfTheConfigurationServeEveryEndpoint() {
        Map<String, String> keys =
                Map.of("rocketmq.client.access-key", "ak", "rocketmq.client.secret-key", "sk");
        try (ClientCredentials credentials = open(keys)) {
            assertThat(found(credentials, "host:1")).isEqualTo(Credentials.of("ak", "sk"));
            assertThat(found(credentials, "other:2")).isEqualTo(Credentials.of("ak", "sk"));
        }
    }

    @Test
    void aResolverIsOpenedAskedPerEndpointAndClosed() {
        Map<String, String> options =
                Map.of(
                        RESOLVER,
                        Recording.class.getName(),
                        "rocketmq.client.credentials.prefix",
                        "user-of-");
        try (ClientCredentials credentials = open(options)) {
            assertThat(found(credentials, "host:1").accessKey()).isEqualTo("user-of-host:1");
            assertThat(found(credentials, "b:2;a:1").accessKey()).isEqualTo("user-of-b:2;a:1");
            assertThat(Recording.thread.get()).startsWith("rocketmq-credentials-");
            assertThat(credentials.sign(client("host:1")))
                    .isEqualTo(credentials.sign(client("host:1")));
        }
        assertThat(Recording.closed.get()).isEqualTo("closed");
    }

    @Test
    void aResolverThatBlocksIsInterruptedByTheClose() throws Exception {
        ClientCredentials credentials = open(Map.of(RESOLVER, Blocking.class.getName()));
        CredentialsProvider provider = credentials.sign(client("host:1")).credentials().get();
        provider.credentials();
        Blocking.entered.await();

        credentials.close();
        credentials.close();
        assertThat(Blocking.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        await().until(
                        () ->
                                Thread.getAllStackTraces().keySet().stream()
                                        .noneMatch(t -> t == Blocking.thread));
        assertThatThrownBy(() -> credentials.sign(client("host:1")))
                .hasMessage("the credentials are closed");
    }

    @Test
    void aClassThatIsNoResolverIsNamedWithWhatIsExpected() {
        wrong("no.such.Resolver", "expected: a class in the job's jar");
        wrong("java.lang.String", "expected: a class that implements " + resolverName());
        wrong(Hidden.class.getName(), "expected: a public class with a public constructor");
        wrong(Failing.class.getName(), "expected: a public class with a public constructor");
    }

    @Test
    void aResolverThatDoesNotOpenIsNamed() {
        assertThatThrownBy(() -> open(Map.of(RESOLVER, FileCredentialsResolver.class.getName())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "FileCredentialsResolver: rocketmq.client.credentials.directory")
                .hasMessageContaining("not set");
    }

    @Test
    void aResolverThatHangsWhenItOpensIsInterruptedAndClosedAndNamed() {
        Stubborn.reset();
        assertThatThrownBy(
                        () ->
                                ClientCredentials.open(
                                        config(Map.of(RESOLVER, Stubborn.class.getName())),
                                        getClass().getClassLoader(),
                                        Duration.ofMillis(200)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "credentials resolver "
                                + Stubborn.class.getName()
                                + ": did not open within 200 ms");
        await().atMost(30, TimeUnit.SECONDS).until(() -> Stubborn.interrupts.get() == 1);
        assertThat(Stubborn.closes).hasValue(0);

        Stubborn.mayEnd.countDown();
        await().atMost(30, TimeUnit.SECONDS).until(() -> Stubborn.closes.get() == 1);
        awaitNoThread();
    }

    @Test
    void aResolverThatFailsToOpenIsClosedForWhatItHasOpenedAlready() {
        HalfOpen.CLOSES.set(0);
        assertThatThrownBy(() -> open(Map.of(RESOLVER, HalfOpen.class.getName())))
                .hasMessageEndingWith("HalfOpen: no such vault");
        await().atMost(30, TimeUnit.SECONDS).until(() -> HalfOpen.CLOSES.get() == 1);
        awaitNoThread();
    }

    @Test
    void aResolverThatDoesNotCloseIsInterruptedWithAWarningAfterTheLimit() throws Exception {
        Stubborn.reset();
        Stubborn.mayEnd.countDown();
        ClientCredentials credentials = open(Map.of(RESOLVER, Stubborn.class.getName()));
        Stubborn.mayEnd = new CountDownLatch(1);
        try (LogCapture logs = LogCapture.begin()) {
            Thread.currentThread().interrupt();
            credentials.close();
            assertThat(Thread.interrupted()).as("the flag is kept").isTrue();

            assertThat(logs.lines())
                    .anyMatch(line -> line.contains("Stubborn did not close within 1000 ms"));
        }
        await().atMost(30, TimeUnit.SECONDS).until(() -> Stubborn.interrupts.get() == 1);
        Stubborn.mayEnd.countDown();
        awaitNoThread();
    }

    private static void awaitNoThread() {
        await().atMost(30, TimeUnit.SECONDS)
                .until(
                        () ->
                                Thread.getAllStackTraces().keySet().stream()
                                        .noneMatch(
                                                t ->
                                                        t.getName()
                                                                .startsWith(
                                                                        "rocketmq-credentials-")));
    }

    private static void wrong(String name, String expected) {
        assertThatThrownBy(() -> open(Map.of(RESOLVER, name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(RESOLVER + ": " + name)
                .hasMessageContaining(expected);
    }

    private static String resolverName() {
        return CredentialsResolver.class.getName();
    }

    private static ClientCredentials open(Map<String, String> options) {
        return ClientCredentials.open(
                config(options), ClientCredentialsTest.class.getClassLoader());
    }

    private static ClientConfig config(Map<String, String> options) {
        return ClientConfig.from(Configuration.fromMap(options));
    }

    private static Credentials found(ClientCredentials credentials, String endpoints) {
        return credentials
                .sign(client(endpoints))
                .credentials()
                .get()
                .credentials()
                .toCompletableFuture()
                .join();
    }

    private static LiteClientConfig client(String endpoints) {
        return LiteClientConfig.builder().endpoints(Endpoints.parse(endpoints)).build();
    }

    /** Notes what is done with it. */
    public static final class Recording implements CredentialsResolver {
        private static final AtomicReference<String> thread = new AtomicReference<>();
        private static final AtomicReference<String> closed = new AtomicReference<>();
        private String prefix;

        @Override
        public void open(ReadableConfig options) {
            closed.set("open");
            prefix = options.toMap().get("rocketmq.client.credentials.prefix");
        }

        @Override
        public Credentials resolve(String endpoints) {
            thread.set(Thread.currentThread().getName());
            return Credentials.of(prefix + endpoints, "secret");
        }

        @Override
        public void close() {
            closed.set("closed");
        }
    }

    /** Waits for an interrupt. */
    public static final class Blocking implements CredentialsResolver {
        private static final CountDownLatch entered = new CountDownLatch(1);
        private static final CountDownLatch interrupted = new CountDownLatch(1);
        private static volatile Thread thread;

        @Override
        public Credentials resolve(String endpoints) throws InterruptedException {
            thread = Thread.currentThread();
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return Credentials.of("never", "never");
        }
    }

    /** Opens and closes only when the test lets it, whoever interrupts. */
    public static final class Stubborn implements CredentialsResolver {
        private static final AtomicInteger interrupts = new AtomicInteger();
        private static final AtomicInteger closes = new AtomicInteger();
        private static volatile CountDownLatch mayEnd;

        private static void reset() {
            interrupts.set(0);
            closes.set(0);
            mayEnd = new CountDownLatch(1);
        }

        @Override
        public void open(ReadableConfig options) {
            waitForTheTest();
        }

        @Override
        public Credentials resolve(String endpoints) {
            return Credentials.of("never", "never");
        }

        @Override
        public void close() {
            closes.incrementAndGet();
            waitForTheTest();
        }

        private static void waitForTheTest() {
            boolean waiting = true;
            while (waiting) {
                try {
                    mayEnd.await();
                    waiting = false;
                } catch (InterruptedException e) {
                    interrupts.incrementAndGet();
                }
            }
        }
    }

    /** Does not open. */
    public static final class HalfOpen implements CredentialsResolver {
        private static final AtomicInteger CLOSES = new AtomicInteger();

        @Override
        public void open(ReadableConfig options) {
            throw new IllegalStateException("no such vault");
        }

        @Override
        public Credentials resolve(String endpoints) {
            return Credentials.of("never", "never");
        }

        @Override
        public void close() {
            CLOSES.incrementAndGet();
        }
    }

    /** Cannot be made. */
    public static final class Hidden implements CredentialsResolver {
        private Hidden() {}

        @Override
        public Credentials resolve(String endpoints) {
            return Credentials.of("never", "never");
        }
    }

    /** Fails when made. */
    public static final class Failing implements CredentialsResolver {
        public Failing() {
            throw new IllegalStateException("not today");
        }

        @Override
        public Credentials resolve(String endpoints) {
            return Credentials.of("never", "never");
        }
    }
}
