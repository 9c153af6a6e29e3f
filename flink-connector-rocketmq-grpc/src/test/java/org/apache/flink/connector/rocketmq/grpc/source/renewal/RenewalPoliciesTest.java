/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source.renewal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcClientOptions;
import org.apache.flink.connector.rocketmq.grpc.config.RocketMQGrpcSourceOptions;
import org.apache.flink.connector.rocketmq.grpc.config.SourceConfig;
import org.apache.flink.connector.rocketmq.grpc.source.reader.CountedMetrics;
import org.apache.flink.connector.rocketmq.grpc.source.reader.FakeReaderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the class of a renewal policy becomes the policy of a reader. */
public class RenewalPoliciesTest {

    private final FakeReaderContext reader =
            new FakeReaderContext(new Configuration(), new CountedMetrics().group());
    private final List<InvisibleDurationRenewalPolicy> ended = new ArrayList<>();

    @Test
    void withoutAClassNothingIsRenewed() {
        assertThat(RenewalPolicies.open(config(null), reader, ended::add)).isEmpty();
    }

    @Test
    void thePolicyIsMadeByTheUserClassLoaderAndOpened() {
        Opened policy = (Opened) open(Opened.class.getName()).orElseThrow(AssertionError::new);

        assertThat(ended).isEmpty();
        assertThat(policy.context.getInvisibleDuration()).isEqualTo(Duration.ofSeconds(60));
        assertThat(policy.context.getRenewalAheadTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(policy.context.getMetricGroup()).isNotNull();
        assertThat(policy.context.getUserCodeClassLoader().asClassLoader())
                .isSameAs(getClass().getClassLoader());
    }

    @Test
    void theFixedPolicyRenewsByTheInvisibleDuration() {
        InvisibleDurationRenewalPolicy policy =
                open(FixedRenewalPolicy.class.getName()).orElseThrow(AssertionError::new);

        assertThat(policy.renewalOf(null)).isEqualTo(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no.such.Policy|cannot be loaded",
                "java.lang.String|is no InvisibleDurationRenewalPolicy",
                "$Hidden|is not public or abstract",
                "$Abstract|is not public or abstract",
                "$WithParameter|has no public constructor without parameters",
                "$PrivateConstructor|has no public constructor without parameters",
                "$FailsInConstructor|failed in its constructor: java.lang.IllegalStateException: no",
                "$FailsToOpen|failed to open: java.io.IOException: no file",
            })
    void whatIsWrongWithTheClassIsNamed(String name, String reason) {
        String full = name.startsWith("$") ? getClass().getName() + name : name;

        assertThatThrownBy(() -> open(full))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "rocketmq.source.renewal-policy-class: class " + full + " " + reason)
                .hasMessageContaining("with a public constructor without parameters)");
        assertThat(ended).hasSize(name.equals("$FailsToOpen") ? 1 : 0);
    }

    private Optional<InvisibleDurationRenewalPolicy> open(String name) {
        return RenewalPolicies.open(config(name), reader, ended::add);
    }

    private static SourceConfig config(String policy) {
        Configuration options =
                new Configuration()
                        .set(RocketMQGrpcClientOptions.ENDPOINTS, "127.0.0.1:8081")
                        .set(RocketMQGrpcSourceOptions.MAIN_TOPIC, "LiteMainTopic")
                        .set(RocketMQGrpcSourceOptions.CONSUMER_GROUP, "GID-lite");
        if (policy != null) {
            options.set(RocketMQGrpcSourceOptions.RENEWAL_POLICY_CLASS, policy);
        }
        return SourceConfig.from(options);
    }

    /** Keeps its context. */
    public static final class Opened implements InvisibleDurationRenewalPolicy {
        private RenewalContext context;

        @Override
        public void open(RenewalContext opened) {
            context = opened;
        }

        @Override
        public Duration renewalOf(WaitingMessage message) {
            return null;
        }
    }

    /** Not public. */
    static final class Hidden implements InvisibleDurationRenewalPolicy {
        @Override
        public Duration renewalOf(WaitingMessage message) {
            return null;
        }
    }

    /** Abstract. */
    public abstract static class Abstract implements InvisibleDurationRenewalPolicy {}

    /** Needs something. */
    public static final class WithParameter implements InvisibleDurationRenewalPolicy {
        private final Duration duration;

        public WithParameter(Duration duration) {
            this.duration = duration;
        }

        @Override
        public Duration renewalOf(WaitingMessage message) {
            return duration;
        }
    }

    /** Only makes itself. */
    public static final class PrivateConstructor implements InvisibleDurationRenewalPolicy {
        private PrivateConstructor() {}

        @Override
        public Duration renewalOf(WaitingMessage message) {
            return null;
        }
    }

    /** Throws when it is made. */
    public static final class FailsInConstructor implements InvisibleDurationRenewalPolicy {
        public FailsInConstructor() {
            throw new IllegalStateException("no");
        }

        @Override
        public Duration renewalOf(WaitingMessage message) {
            return null;
        }
    }

    /** Throws when it is opened. */
    public static final class FailsToOpen implements InvisibleDurationRenewalPolicy {
        @Override
        public void open(RenewalContext context) throws IOException {
            throw new IOException("no file");
        }

        @Override
        public Duration renewalOf(WaitingMessage message) {
            return null;
        }
    }
}
