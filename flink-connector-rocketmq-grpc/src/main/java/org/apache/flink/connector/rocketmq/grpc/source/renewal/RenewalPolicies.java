/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.annotation.Internal;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** Makes the policy of a reader from the name of its class. No state. */
@Internal
public final class RenewalPolicies {

    private RenewalPolicies() {}

    /**
     * The opened policy of a reader.
     *
     * @param close ends a policy whose open failed
     * @return empty if the configuration names none
     * @throws IllegalArgumentException naming the option, the class and what is wrong with it
     */
    public static Optional<InvisibleDurationRenewalPolicy> open(
            SourceConfig config,
            SourceReaderContext reader,
            Consumer<InvisibleDurationRenewalPolicy> close) {
        Optional<String> name = config.waiting().renewalPolicyClass();
        if (!name.isPresent()) {
            return Optional.empty();
        }
        ClassLoader loader = reader.getUserCodeClassLoader().asClassLoader();
        InvisibleDurationRenewalPolicy policy = create(name.get(), loader);
        try {
            policy.open(new OfReader(config, reader));
        } catch (Exception e) {
            close.accept(policy);
            throw wrong(name.get(), "failed to open: " + e, e);
        } catch (Error e) {
            close.accept(policy);
            throw e;
        }
        return Optional.of(policy);
    }

    private static InvisibleDurationRenewalPolicy create(String name, ClassLoader loader) {
        Class<?> type;
        try {
            type = Class.forName(name, true, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            throw wrong(name, "cannot be loaded: " + e, e);
        }
        if (!InvisibleDurationRenewalPolicy.class.isAssignableFrom(type)) {
            throw wrong(
                    name, "is no " + InvisibleDurationRenewalPolicy.class.getSimpleName(), null);
        }
        if (!Modifier.isPublic(type.getModifiers()) || Modifier.isAbstract(type.getModifiers())) {
            throw wrong(name, "is not public or abstract", null);
        }
        try {
            return (InvisibleDurationRenewalPolicy) type.getConstructor().newInstance();
        } catch (NoSuchMethodException e) {
            throw wrong(name, "has no public constructor without parameters", e);
        } catch (InvocationTargetException e) {
            throw wrong(name, "failed in its constructor: " + e.getCause(), e.getCause());
        } catch (InstantiationException | IllegalAccessException e) {
            throw wrong(name, "cannot be instantiated: " + e, e);
        }
    }

    private static IllegalArgumentException wrong(String name, String what, Throwable cause) {
        return new IllegalArgumentException(
                RocketMQGrpcSourceOptions.RENEWAL_POLICY_CLASS.key()
                        + ": class "
                        + name
                        + " "
                        + what
                        + " (expected: a public class that implements "
                        + InvisibleDurationRenewalPolicy.class.getName()
                        + ", with a public constructor without parameters)",
                cause);
    }

    /** What a policy sees of its reader. */
    private static final class OfReader implements RenewalContext {
        private final SourceConfig config;
        private final SourceReaderContext reader;

        private OfReader(SourceConfig config, SourceReaderContext reader) {
            this.config = config;
            this.reader = reader;
        }

        @Override
        public Duration getInvisibleDuration() {
            return config.invisibleDuration();
        }

        @Override
        public Duration getRenewalAheadTime() {
            return config.waiting().renewalAheadTime();
        }

        @Override
        public MetricGroup getMetricGroup() {
            return reader.metricGroup().addGroup("renewal-policy");
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return reader.getUserCodeClassLoader();
        }
    }
}
