/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The class path of the child JVM: this module and the server's jars. The jars are recorded at
 * build time relative to the local Maven repository, which is found again from the system property
 * {@code maven.repo.local}, the repository of the build, or the user's default one.
 */
final class ServerClassPath {

    static final String PLACEHOLDER = "@LOCAL_REPO@";

    private static final String RESOURCES = "/META-INF/rocketmq-dev-cluster/";

    private ServerClassPath() {}

    static String find() {
        String recorded = resource("server.classpath");
        List<Path> repositories = new ArrayList<>();
        String configured = System.getProperty("maven.repo.local", "");
        if (!configured.isBlank()) {
            repositories.add(Paths.get(configured));
        }
        repositories.add(Paths.get(resource("local.repository")));
        repositories.add(Paths.get(System.getProperty("user.home"), ".m2", "repository"));
        List<String> entries = new ArrayList<>();
        entries.add(ownLocation().toString());
        entries.addAll(resolve(recorded, repositories));
        return String.join(File.pathSeparator, entries);
    }

    /** The jars in the first repository that has all of them. */
    static List<String> resolve(String recorded, List<Path> repositories) {
        List<String> entries = Arrays.asList(recorded.trim().split("\\|"));
        String missing = null;
        for (Path repository : repositories) {
            List<String> jars =
                    entries.stream()
                            .map(entry -> entry.replace(PLACEHOLDER, repository.toString()))
                            .collect(Collectors.toList());
            String firstMissing =
                    jars.stream()
                            .filter(jar -> !Files.exists(Paths.get(jar)))
                            .findFirst()
                            .orElse(null);
            if (firstMissing == null) {
                return jars;
            }
            missing = missing == null ? firstMissing : missing;
        }
        throw new DevClusterException(
                "the RocketMQ server is not in the local Maven repository: no "
                        + missing
                        + " (build rocketmq-dev-cluster once, or set -Dmaven.repo.local)");
    }

    private static Path ownLocation() {
        try {
            return Paths.get(
                    ServerClassPath.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI());
        } catch (URISyntaxException e) {
            throw new DevClusterException("cannot locate rocketmq-dev-cluster's classes", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = ServerClassPath.class.getResourceAsStream(RESOURCES + name)) {
            if (in == null) {
                throw new DevClusterException(
                        "rocketmq-dev-cluster was not built by Maven: no " + RESOURCES + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        } catch (IOException e) {
            throw new DevClusterException("cannot read " + RESOURCES + name, e);
        }
    }
}
