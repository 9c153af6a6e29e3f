/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerClassPathTest {

    private static final String RECORDED = "@LOCAL_REPO@/a/a.jar|@LOCAL_REPO@/b/b.jar";

    @TempDir Path directory;

    @Test
    void theFirstRepositoryThatHasAllJarsIsTaken() throws Exception {
        Path incomplete = repository("incomplete", "a/a.jar");
        Path complete = repository("complete", "a/a.jar", "b/b.jar");
        Path alsoComplete = repository("other", "a/a.jar", "b/b.jar");

        List<String> jars =
                ServerClassPath.resolve(
                        RECORDED, Arrays.asList(incomplete, complete, alsoComplete));

        assertThat(jars)
                .containsExactly(
                        complete.resolve("a/a.jar").toString(),
                        complete.resolve("b/b.jar").toString());
    }

    @Test
    void aMissingJarIsNamedWithTheWayOut() throws Exception {
        Path incomplete = repository("incomplete", "a/a.jar");
        Path empty = repository("empty");

        assertThatThrownBy(
                        () -> ServerClassPath.resolve(RECORDED, Arrays.asList(incomplete, empty)))
                .isInstanceOf(DevClusterException.class)
                .hasMessageContaining("no " + incomplete.resolve("b/b.jar"))
                .hasMessageContaining("-Dmaven.repo.local");
    }

    @Test
    void theRecordedClassPathHoldsThisModuleAndTheServer() {
        List<String> entries = Arrays.asList(ServerClassPath.find().split(File.pathSeparator));

        assertThat(entries.get(0)).endsWith("classes");
        assertThat(entries).allMatch(entry -> Files.exists(Path.of(entry)));
        for (String artifact : new String[] {"proxy", "namesrv", "broker", "tools", "proto"}) {
            assertThat(entries).anyMatch(entry -> entry.contains("/rocketmq-" + artifact + "-"));
        }
        assertThat(entries).noneMatch(entry -> entry.contains("junit"));
    }

    private Path repository(String name, String... jars) throws Exception {
        Path repository = Files.createDirectories(directory.resolve(name));
        for (String jar : jars) {
            Path file = repository.resolve(jar);
            Files.createDirectories(file.getParent());
            Files.createFile(file);
        }
        return repository;
    }
}
