/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.annotation.Internal;
import org.apache.flink.configuration.Configuration;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.apache.rocketmq.grpc.lite.CredentialsProvider;
import org.apache.rocketmq.grpc.lite.LiteClientConfig;

/**
 * Where one consumer, or the sessions of one ack client, find their credentials on the TaskManager:
 * in the configuration, at a resolver, or nowhere.
 *
 * <p>Thread-safe; its lock guards what was made for the endpoints. The owner closes it after the
 * clients that use it.
 */
@Internal
public final class ClientCredentials implements AutoCloseable {

    /** How long {@link #close()} waits for the resolver. */
    static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final Optional<CredentialsProvider> fixed;
    private final CredentialsResolver resolver;
    private final ResolverLife life;
    private final Map<String, RefreshingCredentials> byEndpoints = new HashMap<>();
    private final Map<String, CredentialsThread> threads = new HashMap<>();
    private boolean closed;

    private ClientCredentials(
            Optional<CredentialsProvider> fixed, CredentialsResolver resolver, ResolverLife life) {
        this.fixed = fixed;
        this.resolver = resolver;
        this.life = life;
    }

    /**
     * Makes and opens the resolver, if there is one, which takes 30 s at most.
     *
     * @param userClassLoader knows the resolver's class
     * @throws IllegalArgumentException naming the option, the class and what is wrong with it
     * @throws IllegalStateException the resolver did not open
     */
    public static ClientCredentials open(ClientConfig config, ClassLoader userClassLoader) {
        return open(config, userClassLoader, ResolverLife.OPEN_LIMIT);
    }

    static ClientCredentials open(
            ClientConfig config, ClassLoader userClassLoader, Duration openLimit) {
        ClientIdentity identity = config.identity();
        if (!config.hasResolver()) {
            return new ClientCredentials(identity.keys().map(CredentialsProvider::of), null, null);
        }
        CredentialsResolver resolver = instance(identity.resolverClass(), userClassLoader);
        ResolverLife life = new ResolverLife(resolver, userClassLoader);
        life.open(Configuration.fromMap(identity.resolverOptions()), openLimit);
        return new ClientCredentials(Optional.empty(), resolver, life);
    }

    /** The same client with the credentials for its endpoints. */
    public LiteClientConfig sign(LiteClientConfig client) {
        return client.withCredentials(of(client.endpoints().toString()).orElse(null));
    }

    private synchronized Optional<CredentialsProvider> of(String endpoints) {
        if (resolver == null) {
            return fixed;
        }
        if (closed) {
            throw new IllegalStateException("the credentials are closed");
        }
        return Optional.of(byEndpoints.computeIfAbsent(endpoints, this::refreshing));
    }

    private RefreshingCredentials refreshing(String endpoints) {
        CredentialsThread thread = new CredentialsThread();
        threads.put(endpoints, thread);
        String what =
                "credentials resolver "
                        + resolver.getClass().getName()
                        + ", endpoints "
                        + endpoints;
        return new RefreshingCredentials(what, () -> resolve(endpoints), thread, System::nanoTime);
    }

    private Credentials resolve(String endpoints) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(resolver.getClass().getClassLoader());
        try {
            return resolver.resolve(endpoints);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static CredentialsResolver instance(String name, ClassLoader userClassLoader) {
        String key = RocketMQGrpcClientOptions.CREDENTIALS_RESOLVER_CLASS.key();
        try {
            Class<?> type = Class.forName(name, true, userClassLoader);
            if (!CredentialsResolver.class.isAssignableFrom(type)) {
                throw new IllegalArgumentException(
                        key
                                + ": "
                                + name
                                + " (expected: a class that implements "
                                + CredentialsResolver.class.getName()
                                + ")");
            }
            return (CredentialsResolver) type.getConstructor().newInstance();
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    key + ": " + name + " (expected: a class in the job's jar or in lib)", e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    key
                            + ": "
                            + name
                            + " (expected: a public class with a public constructor without"
                            + " arguments that does not fail)",
                    e);
        }
    }

    /** Interrupts what is being resolved and closes the resolver, in 1 s. Idempotent. */
    @Override
    public void close() {
        close(CLOSE_LIMIT);
    }

    /** The same; a resolver that has not closed by then is interrupted, with a warning. */
    public void close(Duration limit) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            threads.values().forEach(CredentialsThread::close);
        }
        if (life != null) {
            life.close(limit.compareTo(CLOSE_LIMIT) < 0 ? CLOSE_LIMIT : limit);
        }
    }
}
