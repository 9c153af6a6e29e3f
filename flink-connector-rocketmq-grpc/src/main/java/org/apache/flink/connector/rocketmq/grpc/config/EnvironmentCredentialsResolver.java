/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.rocketmq.grpc.lite.Credentials;

/**
 * Credentials from the TaskManager's environment: {@code ROCKETMQ_ACCESS_KEY}, {@code
 * ROCKETMQ_SECRET_KEY} and, if needed, {@code ROCKETMQ_SECURITY_TOKEN}.
 *
 * <p>Variables of one endpoint go before them: the names with the address behind, in capitals and
 * with {@code _} for everything else than letters and digits, such as {@code
 * ROCKETMQ_ACCESS_KEY_MQ_EXAMPLE_ORG_8081}.
 */
@PublicEvolving
public final class EnvironmentCredentialsResolver implements CredentialsResolver {

    private static final String ACCESS_KEY = "ROCKETMQ_ACCESS_KEY";
    private static final String SECRET_KEY = "ROCKETMQ_SECRET_KEY";
    private static final String SECURITY_TOKEN = "ROCKETMQ_SECURITY_TOKEN";

    private final Map<String, String> environment;

    /** Reads the environment of this process. */
    public EnvironmentCredentialsResolver() {
        this(System.getenv());
    }

    EnvironmentCredentialsResolver(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Credentials resolve(String endpoints) {
        List<String> tried = new ArrayList<>();
        for (String suffix : suffixes(endpoints)) {
            String accessKey = ACCESS_KEY + suffix;
            if (isSet(accessKey)) {
                return read(accessKey, SECRET_KEY + suffix, SECURITY_TOKEN + suffix);
            }
            tried.add(accessKey);
        }
        throw new IllegalStateException("none of these variables is set: " + tried);
    }

    private Credentials read(String accessKey, String secretKey, String securityToken) {
        if (!isSet(secretKey)) {
            throw new IllegalStateException(accessKey + " is set and " + secretKey + " is not");
        }
        return Credentials.of(
                environment.get(accessKey).trim(),
                environment.get(secretKey).trim(),
                environment.getOrDefault(securityToken, "").trim());
    }

    private boolean isSet(String variable) {
        return !environment.getOrDefault(variable, "").trim().isEmpty();
    }

    private static List<String> suffixes(String endpoints) {
        List<String> suffixes = new ArrayList<>();
        for (String address : endpoints.split(";")) {
            suffixes.add("_" + address.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"));
        }
        suffixes.add("");
        return suffixes;
    }
}
