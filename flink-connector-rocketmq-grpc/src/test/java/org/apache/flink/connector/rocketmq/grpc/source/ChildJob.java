/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.flink.connector.rocketmq.grpc.source;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A job in a JVM of its own ({@link ChildJobMain}), which can be killed, or run in a small heap. It
 * is blocked until {@link #unblock}. What it prints is kept: {@code got <lite topic> <value>} per
 * message, the rest for messages of failed tests.
 */
final class ChildJob implements AutoCloseable {

    private static final int MOST_LINES = 10_000;

    private final Process process;
    private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();

    private ChildJob(Process process) {
        this.process = process;
        Thread reading = new Thread(this::read, "child-job-output");
        reading.setDaemon(true);
        reading.start();
    }

    /**
     * Starts it.
     *
     * @param jvm arguments of the JVM, for example {@code -Xmx256m}
     * @param options {@code key=value} each, of the source
     */
    static ChildJob start(List<String> jvm, String... options) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(
                Arrays.asList(
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        classPath(),
                        ChildJobMain.class.getName()));
        Collections.addAll(command, options);
        return new ChildJob(new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /** Surefire may hide the class path in the manifest of a jar. */
    private static String classPath() {
        String ofSurefire = System.getProperty("surefire.test.class.path");
        String own = System.getProperty("java.class.path");
        return ofSurefire == null ? own : ofSurefire + File.pathSeparator + own;
    }

    /** Lets messages pass. */
    void unblock() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write("go\n".getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Values that reached the downstream so far, in order. */
    List<String> values() {
        return words(2);
    }

    /** The lite topics they came from. */
    List<String> liteTopics() {
        return words(1);
    }

    private List<String> words(int index) {
        List<String> words = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("got ")) {
                words.add(line.split(" ", 3)[index]);
            }
        }
        return words;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** What it printed, for a message. */
    String output() {
        return String.join("\n", lines);
    }

    /** Like {@code kill -9}; waits for its end. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            while (line != null) {
                if (lines.size() < MOST_LINES) {
                    lines.add(line);
                }
                line = reader.readLine();
            }
        } catch (IOException e) {
            lines.add("output ended: " + e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
