/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.rocketmq.grpc.lite.Credentials;

/**
 * Credentials from files that are mounted on the TaskManagers, as a Kubernetes secret is: {@code
 * access-key}, {@code secret-key} and, if needed, {@code security-token} in the directory {@code
 * rocketmq.client.credentials.directory}. Read anew each time, so replaced files take effect by
 * themselves.
 *
 * <p>Files of one endpoint lie in a directory below, named by the address with {@code _} for
 * everything else than letters, digits, {@code .} and {@code -}, such as {@code
 * mq.example.org_8081}.
 */
@PublicEvolving
public final class FileCredentialsResolver implements CredentialsResolver {

    private static final String ACCESS_KEY = "access-key";
    private static final String SECRET_KEY = "secret-key";
    private static final String SECURITY_TOKEN = "security-token";
    private static final int MAX_BYTES = 16 * 1024;
    private static final int MAX_READS = 5;

    private Path directory;

    /** Opened before use. */
    public FileCredentialsResolver() {}

    @Override
    public void open(ReadableConfig options) {
        directory =
                Paths.get(
                        OptionChecks.required(
                                options, RocketMQGrpcClientOptions.CREDENTIALS_DIRECTORY));
    }

    /**
     * Two readings in a row have to agree: files may be replaced between the first and the last.
     */
    @Override
    public Credentials resolve(String endpoints) throws IOException {
        Path place = directoryOf(endpoints);
        Credentials before = read(place);
        for (int i = 1; i < MAX_READS; i++) {
            Credentials now = read(place);
            if (now.equals(before)) {
                return now;
            }
            before = now;
        }
        throw new IOException(place + " changes while it is read");
    }

    private Path directoryOf(String endpoints) {
        for (String address : endpoints.split(";")) {
            Path own = directory.resolve(address.replaceAll("[^a-zA-Z0-9.-]", "_"));
            if (Files.isDirectory(own)) {
                return own;
            }
        }
        return directory;
    }

    private static Credentials read(Path place) throws IOException {
        Path token = place.resolve(SECURITY_TOKEN);
        return Credentials.of(
                text(place.resolve(ACCESS_KEY)),
                text(place.resolve(SECRET_KEY)),
                Files.exists(token) ? text(token) : "");
    }

    private static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException(file + ": too large (expected: at most 16 KiB)");
            }
            return new String(bytes, StandardCharsets.UTF_8).trim();
        }
    }
}
