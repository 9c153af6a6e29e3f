/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.rocketmq.grpc.lite.Credentials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Credentials from environment variables and from mounted files. */
class ReadyMadeResolversTest {

    @TempDir private Path directory;

    @Test
    void variablesOfAnEndpointGoBeforeTheCommonOnes() {
        EnvironmentCredentialsResolver resolver =
                new EnvironmentCredentialsResolver(
                        Map.of(
                                "ROCKETMQ_ACCESS_KEY", "common",
                                "ROCKETMQ_SECRET_KEY", "secret-1",
                                "ROCKETMQ_ACCESS_KEY_MQ_EXAMPLE_ORG_8081", "special",
                                "ROCKETMQ_SECRET_KEY_MQ_EXAMPLE_ORG_8081", "secret-2",
                                "ROCKETMQ_SECURITY_TOKEN_MQ_EXAMPLE_ORG_8081", "token"));

        assertThat(resolver.resolve("host:1")).isEqualTo(Credentials.of("common", "secret-1"));
        assertThat(resolver.resolve("mq.example.org:8081"))
                .isEqualTo(Credentials.of("special", "secret-2", "token"));
        assertThat(resolver.resolve("host:1;mq.example.org:8081").accessKey()).isEqualTo("special");
    }

    @Test
    void missingVariablesAreNamed() {
        assertThatThrownBy(() -> new EnvironmentCredentialsResolver(Map.of()).resolve("a-b:1"))
                .hasMessage(
                        "none of these variables is set: [ROCKETMQ_ACCESS_KEY_A_B_1,"
                                + " ROCKETMQ_ACCESS_KEY]");
        assertThatThrownBy(
                        () ->
                                new EnvironmentCredentialsResolver(
                                                Map.of("ROCKETMQ_ACCESS_KEY", "ak"))
                                        .resolve("host:1"))
                .hasMessage("ROCKETMQ_ACCESS_KEY is set and ROCKETMQ_SECRET_KEY is not");
    }

    @Test
    void theRealEnvironmentHasNoVariablesOfATest() {
        assertThatThrownBy(() -> new EnvironmentCredentialsResolver().resolve("no.such.host:1"))
                .hasMessageContaining("ROCKETMQ_ACCESS_KEY_NO_SUCH_HOST_1");
    }

    @Test
    void filesAreReadAnewEachTime() throws Exception {
        write(directory, "access-key", "ak-1\n");
        write(directory, "secret-key", "secret-1\n");
        FileCredentialsResolver resolver = files();
        assertThat(resolver.resolve("host:1")).isEqualTo(Credentials.of("ak-1", "secret-1"));

        write(directory, "access-key", "ak-2");
        write(directory, "secret-key", "secret-2");
        write(directory, "security-token", "token");
        assertThat(resolver.resolve("host:1"))
                .isEqualTo(Credentials.of("ak-2", "secret-2", "token"));
    }

    @Test
    void aDirectoryOfTheEndpointGoesBeforeTheCommonFiles() throws Exception {
        write(directory, "access-key", "common");
        write(directory, "secret-key", "secret-1");
        Path own = Files.createDirectory(directory.resolve("mq.example.org_8081"));
        write(own, "access-key", "special");
        write(own, "secret-key", "secret-2");

        assertThat(files().resolve("mq.example.org:8081").accessKey()).isEqualTo("special");
        assertThat(files().resolve("other:8081").accessKey()).isEqualTo("common");
    }

    @Test
    void filesThatAreMissingEmptyOrTooLargeAreNamed() throws Exception {
        assertThatThrownBy(() -> files().resolve("host:1"))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("access-key");
        write(directory, "access-key", "ak");
        write(directory, "secret-key", " \n");
        assertThatThrownBy(() -> files().resolve("host:1")).hasMessageContaining("secret key");
        write(directory, "secret-key", "x".repeat(20_000));
        assertThatThrownBy(() -> files().resolve("host:1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("secret-key: too large")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("xxx"));
    }

    private FileCredentialsResolver files() {
        FileCredentialsResolver resolver = new FileCredentialsResolver();
        resolver.open(
                Configuration.fromMap(
                        Map.of("rocketmq.client.credentials.directory", directory.toString())));
        return resolver;
    }

    private static void write(Path place, String name, String text) throws IOException {
        Files.write(place.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }
}
