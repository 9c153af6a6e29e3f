/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.devcluster.wire.Verbs;

/**
 * Who may do what on a {@link DevCluster} with access control. Every call returns when the proxy
 * sees the change. Thread-safe.
 */
public final class ClusterUsers {

    private static final long SECONDS = 90;

    private final ClusterServer server;
    private final AdminKeys admin;

    ClusterUsers(ClusterServer server, AdminKeys admin) {
        this.server = server;
        this.admin = admin;
    }

    /** Access key of the super user, who may do everything. */
    public String adminAccessKey() {
        return admin.accessKey();
    }

    /** Secret key of the super user. */
    public String adminSecretKey() {
        return admin.secretKey();
    }

    /**
     * A user who may do nothing yet, or a new secret for one who exists.
     *
     * @param name the access key
     */
    public void put(String name, String secretKey) {
        server.callOwn(SECONDS, Verbs.PUT_USER, name, secretKey);
    }

    /** Deletes a user. */
    public void delete(String name) {
        server.callOwn(SECONDS, Verbs.DELETE_USER, name);
    }

    /**
     * What a user may do with a resource; replaces what was allowed on it before.
     *
     * @param resource such as {@code Topic:orders} or {@code Group:GID-orders}
     * @param actions of {@code Pub}, {@code Sub} and so on; none takes every permission away
     */
    public void grant(String user, String resource, String... actions) {
        List<String> arguments = new ArrayList<>();
        Collections.addAll(arguments, user, resource);
        Collections.addAll(arguments, actions);
        server.callOwn(SECONDS, Verbs.GRANT, arguments.toArray(new String[0]));
    }
}
