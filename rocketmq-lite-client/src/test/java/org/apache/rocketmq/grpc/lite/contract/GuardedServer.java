/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.grpc.lite.contract;

import java.util.List;
import org.apache.rocketmq.devcluster.DevCluster;
import org.apache.rocketmq.grpc.lite.fixtures.FakeProxy;

/** A server with access control, fake or real, for tests that both must pass. */
interface GuardedServer extends AutoCloseable {

    String endpoints();

    List<String> brokers();

    void createLiteTopic(String topic);

    void createLiteGroup(String group, String topic);

    /** A user who may do nothing yet, or a new secret for one; in force on return. */
    void putUser(String name, String secret);

    /** Replaces what a user may do with a resource; in force on return. */
    void grant(String user, String resource, String... actions);

    @Override
    void close();

    /** The fake. */
    static GuardedServer fake() {
        FakeProxy proxy = FakeProxy.builder().accessControl().refuseLiteSimpleConsumer().start();
        return new GuardedServer() {
            @Override
            public String endpoints() {
                return proxy.endpoints();
            }

            @Override
            public List<String> brokers() {
                return proxy.brokers();
            }

            @Override
            public void createLiteTopic(String topic) {
                proxy.createLiteTopic(topic);
            }

            @Override
            public void createLiteGroup(String group, String topic) {
                proxy.createLiteGroup(group, topic);
            }

            @Override
            public void putUser(String name, String secret) {
                proxy.access().putUser(name, secret);
            }

            @Override
            public void grant(String user, String resource, String... actions) {
                proxy.access().grant(user, resource, actions);
            }

            @Override
            public void close() {
                proxy.close();
            }
        };
    }

    /** A dev cluster of its own. */
    static GuardedServer real() {
        DevCluster cluster = DevCluster.builder().accessControl(true).fastLiteEvents(true).start();
        return new GuardedServer() {
            @Override
            public String endpoints() {
                return cluster.endpoints();
            }

            @Override
            public List<String> brokers() {
                return cluster.brokerNames();
            }

            @Override
            public void createLiteTopic(String topic) {
                cluster.createLiteTopic(topic);
            }

            @Override
            public void createLiteGroup(String group, String topic) {
                cluster.createLiteGroup(group, topic);
            }

            @Override
            public void putUser(String name, String secret) {
                cluster.users().put(name, secret);
            }

            @Override
            public void grant(String user, String resource, String... actions) {
                cluster.users().grant(user, resource, actions);
            }

            @Override
            public void close() {
                cluster.close();
            }
        };
    }
}
