/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import apache.rocketmq.v2.Resource;
import com.google.protobuf.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.connector.rocketmq.grpc.config.DeserializationFailurePolicy;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.rocketmq.grpc.lite.LiteOutgoingMessage;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;
import org.apache.rocketmq.grpc.lite.fixtures.RecordedCall;
import org.apache.rocketmq.grpc.lite.fixtures.Rpc;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The namespace on its way: builder, consumer, handle, shuffle, acknowledging session. */
@Timeout(180)
class NamespaceITCase {

    private static final String TOPIC = "main";
    private static final String GROUP = "GID-named";

    /** The job sends nothing. */
    private static final EnumSet<Rpc> NOT_OURS = EnumSet.of(Rpc.SEND);

    private static final byte GOOD = 'x';
    private static final byte BAD = 'y';
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    static final MiniClusterExtension FLINK =
            new MiniClusterExtension(
                    new MiniClusterResourceConfiguration.Builder()
                            .setNumberTaskManagers(1)
                            .setNumberSlotsPerTaskManager(3)
                            .build());

    @Test
    void everyRequestOfSourceAndAckNamesTheNamespaceOfTheSource() throws Exception {
        // case 39
        String[] namespaces = {null, "", "ns"};
        try (FakeProxy ofNull = proxy();
                FakeProxy ofEmpty = proxy();
                FakeProxy ofNamed = proxy()) {
            FakeProxy[] proxies = {ofNull, ofEmpty, ofNamed};
            readAndAckUntilEveryClientBeats(proxies, namespaces);

            for (int i = 0; i < proxies.length; i++) {
                String expected = namespaces[i] == null ? "" : namespaces[i];
                assertThat(requestsNaming(proxies[i], expected))
                        .isEqualTo(EnumSet.complementOf(NOT_OURS));
            }
        }
    }

    private static FakeProxy proxy() {
        FakeProxy proxy = FakeProxy.start();
        proxy.createLiteTopic(TOPIC);
        proxy.createLiteGroup(GROUP, TOPIC);
        return proxy;
    }

    /** A job for each proxy, all at once, because the first heartbeat comes after 10 s. */
    private static void readAndAckUntilEveryClientBeats(FakeProxy[] proxies, String[] namespaces)
            throws Exception {
        List<SourceJob> jobs = new ArrayList<>();
        try {
            for (int i = 0; i < proxies.length; i++) {
                SourceJob job = SourceJob.with(proxies[i].endpoints(), TOPIC, GROUP).keyed();
                jobs.add(job);
                job.source()
                        .setNamespace(namespaces[i])
                        .setValueOnlyDeserializer(new RefusesOne())
                        .setDeserializationFailurePolicy(DeserializationFailurePolicy.RETRY_LATER)
                        .setDeserializationRetryDelay(Duration.ofHours(1));
                job.start();
                proxies[i].send(TOPIC, LiteOutgoingMessage.of("a", new byte[] {GOOD}));
                proxies[i].send(TOPIC, LiteOutgoingMessage.of("b", new byte[] {BAD}));
            }
            for (FakeProxy proxy : proxies) {
                await().atMost(LIMIT).until(() -> proxy.committed(TOPIC, GROUP, "a") == 1);
                await().atMost(LIMIT).until(() -> proxy.count(Rpc.CHANGE_INVISIBLE_DURATION) > 0);
                await().atMost(LIMIT).until(() -> beating(proxy).equals(proxy.clientIds()));
            }
        } finally {
            for (SourceJob job : jobs) {
                job.close();
            }
        }
    }

    private static Set<String> beating(FakeProxy proxy) {
        return proxy.recorded(Rpc.HEARTBEAT).stream()
                .map(RecordedCall::clientId)
                .collect(Collectors.toSet());
    }

    /** Which calls name a topic or a group; in every one the namespace is as expected. */
    private static Set<Rpc> requestsNaming(FakeProxy proxy, String namespace) {
        Set<Rpc> naming = EnumSet.noneOf(Rpc.class);
        for (Rpc rpc : Rpc.values()) {
            for (RecordedCall call : proxy.recorded(rpc)) {
                Set<String> named = namespacesIn(call.request(Message.class));
                assertThat(named).as("%s", call).isSubsetOf(namespace);
                assertThat(call.header("x-mq-namespace")).as("%s", call).isEqualTo(namespace);
                if (!named.isEmpty()) {
                    naming.add(rpc);
                }
            }
        }
        return naming;
    }

    /** Of every topic and group anywhere in the message. */
    private static Set<String> namespacesIn(Message message) {
        Set<String> found = new HashSet<>();
        if (message instanceof Resource) {
            found.add(((Resource) message).getResourceNamespace());
        }
        for (Map.Entry<?, Object> field : message.getAllFields().entrySet()) {
            for (Object value :
                    field.getValue() instanceof Iterable
                            ? (Iterable<?>) field.getValue()
                            : Set.of(field.getValue())) {
                if (value instanceof Message) {
                    found.addAll(namespacesIn((Message) value));
                }
            }
        }
        return found;
    }

    /** Cannot read one message, which is put off. */
    private static final class RefusesOne extends SimpleStringSchema {
        private static final long serialVersionUID = 1L;

        @Override
        public String deserialize(byte[] message) {
            if (message[0] == BAD) {
                throw new IllegalArgumentException("asked to");
            }
            return super.deserialize(message);
        }
    }
}
