/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the tests see of processes and of what they leave behind. */
final class Processes {

    private Processes() {}

    /** Child JVMs of this JVM. */
    static Set<Long> children() {
        return ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .collect(Collectors.toSet());
    }

    /** A JVM with nothing but this module's classes and the given jars on its class path. */
    static Process java(Path tempDir, Class<?> main, List<Class<?>> alsoNeeded, String... arguments)
            throws Exception {
        List<String> classPath = new ArrayList<>();
        classPath.add(location(DevCluster.class));
        classPath.add(location(main));
        for (Class<?> needed : alsoNeeded) {
            classPath.add(location(needed));
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx64m");
        command.add("-XX:+UseSerialGC");
        command.add("-Djava.io.tmpdir=" + tempDir);
        command.add("-cp");
        command.add(String.join(java.io.File.pathSeparator, classPath));
        command.add(main.getName());
        Collections.addAll(command, arguments);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    static List<String> entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.startsWith("hsperfdata"))
                    .collect(Collectors.toList());
        }
    }

    private static String location(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    }
}
