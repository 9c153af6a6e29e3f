/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.rocketmq.auth.authentication.model.User;
import org.apache.rocketmq.auth.authorization.model.Acl;
import org.apache.rocketmq.auth.authorization.model.PolicyEntry;
import org.apache.rocketmq.remoting.protocol.body.AclInfo;
import org.apache.rocketmq.remoting.protocol.body.UserInfo;
import org.apache.rocketmq.tools.admin.DefaultMQAdminExt;

/**
 * Users and permissions of a cluster with access control. Every change goes to all masters and
 * returns when the proxy sees it.
 */
final class UserAdmin {

    private static final String NORMAL_USER = "Normal";
    private static final String ALLOW = "Allow";
    private static final String CUSTOM = "Custom";

    private final DefaultMQAdminExt admin;
    private final ClusterAdmin cluster;
    private final ProxyNode proxy;

    UserAdmin(DefaultMQAdminExt admin, ClusterAdmin cluster, ProxyNode proxy) {
        this.admin = admin;
        this.cluster = cluster;
        this.proxy = proxy;
    }

    /** A new user, or a new secret of an existing one. */
    void put(String name, String secret) throws Exception {
        for (String address : cluster.masters().values()) {
            UserInfo known = admin.getUser(address, name);
            if (known == null) {
                admin.createUser(address, name, secret, NORMAL_USER);
            } else {
                admin.updateUser(address, UserInfo.of(name, secret, NORMAL_USER));
            }
        }
        await(
                name,
                () -> {
                    User seen = proxy.user(name);
                    return seen != null && secret.equals(seen.getPassword());
                });
    }

    void delete(String name) throws Exception {
        for (String address : cluster.masters().values()) {
            admin.deleteUser(address, name);
        }
        await(
                name,
                () -> {
                    User seen = proxy.user(name);
                    return seen == null || seen.getPassword() == null;
                });
    }

    /** Replaces what the user may do with the resource; no action takes everything away. */
    void grant(String user, String resource, List<String> actions) throws Exception {
        String subject = "User:" + user;
        for (String address : cluster.masters().values()) {
            AclInfo known = admin.getAcl(address, subject);
            boolean listed = known != null && mentions(known, resource);
            if (actions.isEmpty()) {
                if (listed) {
                    admin.deleteAcl(address, subject, resource);
                }
            } else {
                put(address, AclInfo.of(subject, list(resource), actions, null, ALLOW), known);
            }
        }
        await(user, () -> granted(user, resource).equals(sorted(actions)));
    }

    private void put(String address, AclInfo wanted, AclInfo known) throws Exception {
        wanted.getPolicies().forEach(policy -> policy.setPolicyType(CUSTOM));
        if (known == null) {
            admin.createAcl(address, wanted);
        } else {
            admin.updateAcl(address, wanted);
        }
    }

    private static boolean mentions(AclInfo acl, String resource) {
        return acl.getPolicies() != null
                && acl.getPolicies().stream()
                        .flatMap(policy -> policy.getEntries().stream())
                        .anyMatch(entry -> resource.equals(entry.getResource()));
    }

    private List<String> granted(String user, String resource) {
        Acl seen = proxy.acl(user);
        if (seen == null || seen.getPolicies() == null) {
            return Collections.emptyList();
        }
        return seen.getPolicies().stream()
                .flatMap(policy -> policy.getEntries().stream())
                .filter(entry -> resource.equals(entry.toResourceStr()))
                .map(PolicyEntry::toActionsStr)
                .map(UserAdmin::sorted)
                .findFirst()
                .orElse(Collections.emptyList());
    }

    private static List<String> sorted(List<String> actions) {
        return actions.stream().sorted().collect(Collectors.toList());
    }

    private static List<String> list(String value) {
        return Collections.singletonList(value);
    }

    private static void await(String user, Callable<Boolean> condition) throws Exception {
        Await.until(
                condition,
                ClusterAdmin.VISIBLE_WITHIN_SECONDS,
                () -> "the proxy does not see user " + user + " as changed");
    }
}
