/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster.server;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.rocketmq.acl.common.AclClientRPCHook;
import org.apache.rocketmq.acl.common.SessionCredentials;
import org.apache.rocketmq.auth.authentication.provider.DefaultAuthenticationProvider;
import org.apache.rocketmq.auth.authentication.provider.LocalAuthenticationMetadataProvider;
import org.apache.rocketmq.auth.authorization.provider.DefaultAuthorizationProvider;
import org.apache.rocketmq.auth.authorization.provider.LocalAuthorizationMetadataProvider;
import org.apache.rocketmq.auth.config.AuthConfig;
import org.apache.rocketmq.devcluster.wire.AdminKeys;
import org.apache.rocketmq.devcluster.wire.ServerSettings;
import org.apache.rocketmq.proxy.auth.ProxyAuthenticationMetadataProvider;
import org.apache.rocketmq.proxy.auth.ProxyAuthorizationMetadataProvider;
import org.apache.rocketmq.remoting.RPCHook;
import org.apache.rocketmq.remoting.protocol.RemotingSerializable;

/**
 * ACL 2.0 of server 5.5.0: brokers keep users and permissions, the proxy asks them and caches the
 * answers. Broker, proxy and admin client talk to each other as the super user. No state.
 */
final class AccessControl {

    /** The server's default of 20 s would make every test wait. */
    private static final String CACHE_REFRESH_SECONDS = "1";

    private AccessControl() {}

    /**
     * Of one broker.
     *
     * @param name a new one for every start: the server keeps a closed user store under the old
     * @param directory where the broker keeps users and permissions
     */
    static AuthConfig ofBroker(AdminKeys admin, String name, Path directory) {
        AuthConfig auth = new AuthConfig();
        auth.setConfigName(name);
        auth.setClusterName(ServerSettings.CLUSTER_NAME);
        auth.setAuthConfigPath(directory.toString());
        if (admin == null) {
            return auth;
        }
        Map<String, String> properties = common(admin);
        properties.put(
                "authenticationMetadataProvider",
                LocalAuthenticationMetadataProvider.class.getName());
        properties.put(
                "authorizationMetadataProvider",
                LocalAuthorizationMetadataProvider.class.getName());
        Map<String, String> user = new LinkedHashMap<>();
        user.put("username", admin.accessKey());
        user.put("password", admin.secretKey());
        properties.put("initAuthenticationUser", json(user));
        ConfigBeans.apply("the broker's access control", properties, auth);
        return auth;
    }

    /** Properties of the proxy; none without access control. */
    static Map<String, String> ofProxy(AdminKeys admin) {
        if (admin == null) {
            return Collections.emptyMap();
        }
        Map<String, String> properties = common(admin);
        properties.put(
                "authenticationMetadataProvider",
                ProxyAuthenticationMetadataProvider.class.getName());
        properties.put(
                "authorizationMetadataProvider",
                ProxyAuthorizationMetadataProvider.class.getName());
        // otherwise the proxy does not sign what it asks the brokers
        properties.put("enableAclRpcHookForClusterMode", "true");
        properties.put("userCacheRefreshSeconds", CACHE_REFRESH_SECONDS);
        properties.put("aclCacheRefreshSeconds", CACHE_REFRESH_SECONDS);
        return properties;
    }

    /** Signs the requests of an admin client; null without access control. */
    static RPCHook signing(AdminKeys admin) {
        return admin == null
                ? null
                : new AclClientRPCHook(
                        new SessionCredentials(admin.accessKey(), admin.secretKey()));
    }

    private static Map<String, String> common(AdminKeys admin) {
        Map<String, String> inner = new LinkedHashMap<>();
        inner.put("accessKey", admin.accessKey());
        inner.put("secretKey", admin.secretKey());
        Map<String, String> properties = new TreeMap<>();
        properties.put("authenticationEnabled", "true");
        properties.put("authorizationEnabled", "true");
        properties.put("authenticationProvider", DefaultAuthenticationProvider.class.getName());
        properties.put("authorizationProvider", DefaultAuthorizationProvider.class.getName());
        properties.put("innerClientAuthenticationCredentials", json(inner));
        return properties;
    }

    private static String json(Map<String, String> values) {
        return RemotingSerializable.toJson(values, false);
    }
}
