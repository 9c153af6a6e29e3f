/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.time.Duration;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Options of every part that talks to RocketMQ. */
@PublicEvolving
public final class RocketMQGrpcClientOptions {

    /** Proxy endpoints; required where a part connects by itself. */
    public static final ConfigOption<String> ENDPOINTS =
            ConfigOptions.key("rocketmq.client.endpoints")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Proxy endpoints, host:port, several separated by ';'. The port"
                                    + " defaults to 8081.");

    /** Namespace. */
    public static final ConfigOption<String> NAMESPACE =
            ConfigOptions.key("rocketmq.client.namespace")
                    .stringType()
                    .defaultValue("")
                    .withDescription(
                            "Namespace sent with every request. The open-source proxy ignores it.");

    /** Access key; belongs together with the secret key. */
    public static final ConfigOption<String> ACCESS_KEY =
            ConfigOptions.key("rocketmq.client.access-key")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Access key (user name) to sign requests with; goes together with the"
                                    + " secret key.");

    /** Secret key; belongs together with the access key. */
    public static final ConfigOption<String> SECRET_KEY =
            ConfigOptions.key("rocketmq.client.secret-key")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Secret key; goes together with the access key. It travels in the job"
                                    + " graph; a credentials resolver avoids that.");

    /** Security token of temporary credentials. */
    public static final ConfigOption<String> SECURITY_TOKEN =
            ConfigOptions.key("rocketmq.client.security-token")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Security token of temporary credentials.");

    /** Class that finds credentials on the TaskManager. */
    public static final ConfigOption<String> CREDENTIALS_RESOLVER_CLASS =
            ConfigOptions.key("rocketmq.client.credentials-resolver-class")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Class that finds the credentials of an endpoint on the TaskManager:"
                                    + " EnvironmentCredentialsResolver, FileCredentialsResolver"
                                    + " (with their package), or your own CredentialsResolver.");

    /** Directory of {@link FileCredentialsResolver}. */
    public static final ConfigOption<String> CREDENTIALS_DIRECTORY =
            ConfigOptions.key("rocketmq.client.credentials.directory")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Where FileCredentialsResolver finds the files access-key, secret-key"
                                    + " and security-token on the TaskManager.");

    /** TLS. */
    public static final ConfigOption<Boolean> TLS_ENABLED =
            ConfigOptions.key("rocketmq.client.tls-enabled")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription("Whether to talk TLS to the proxy.");

    /** PEM file of trusted certificates. */
    public static final ConfigOption<String> TLS_TRUST_CERTIFICATES =
            ConfigOptions.key("rocketmq.client.tls-trust-certificates")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "PEM file of the certificates to trust instead of the JVM's trust"
                                    + " store.");

    /** Verification of the server. */
    public static final ConfigOption<Boolean> TLS_VERIFY =
            ConfigOptions.key("rocketmq.client.tls-verify")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription(
                            "Whether the server's certificate and host name are verified.");

    /** PEM file of the client's certificate. */
    public static final ConfigOption<String> TLS_CLIENT_CERTIFICATE =
            ConfigOptions.key("rocketmq.client.tls-client-certificate")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("PEM file of the client certificate for mutual TLS.");

    /** PEM file of the client's key. */
    public static final ConfigOption<String> TLS_CLIENT_KEY =
            ConfigOptions.key("rocketmq.client.tls-client-key")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("PEM file of the client key for mutual TLS.");

    /** Bound of one request. */
    public static final ConfigOption<Duration> REQUEST_TIMEOUT =
            ConfigOptions.key("rocketmq.client.request-timeout")
                    .durationType()
                    .defaultValue(Duration.ofSeconds(3))
                    .withDescription(
                            "How long one request may take; a long poll has the await duration on"
                                    + " top.");

    private RocketMQGrpcClientOptions() {}
}
