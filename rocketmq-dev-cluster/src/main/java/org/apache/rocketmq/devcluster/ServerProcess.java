/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.rocketmq.devcluster;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.rocketmq.devcluster.wire.DirectoryTree;
import org.apache.rocketmq.devcluster.wire.WireLine;

/**
 * The child JVM and the talk with it. Any thread may {@link #call}; one daemon thread, {@code
 * rocketmq-dev-cluster-answers}, reads answers and ends with the child.
 */
final class ServerProcess {

    private static final String SERVER_MAIN = "org.apache.rocketmq.devcluster.server.ServerMain";
    private static final long END_SECONDS = 5;

    private final Process process;
    private final Path log;
    private final Writer requests;
    private final AtomicLong nextId = new AtomicLong();
    private final Map<Long, CompletableFuture<WireLine>> waiting = new ConcurrentHashMap<>();
    private volatile boolean ended;

    private ServerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
        this.requests =
                new BufferedWriter(
                        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a JVM that does nothing yet, with its files below the directory. */
    static ServerProcess launch(Path dataDir, String heap) {
        try {
            Path home = Files.createDirectories(dataDir.resolve("home"));
            Path temp = dataDir.resolve("tmp");
            DirectoryTree.delete(temp);
            Files.createDirectories(temp);
            Path log = Files.createDirectories(dataDir.resolve("logs")).resolve("server.log");
            ProcessBuilder builder = new ProcessBuilder(command(heap, home, temp));
            builder.environment()
                    .keySet()
                    .removeIf(k -> k.matches("ROCKETMQ.*|RMQ_.*|NAMESRV_ADDR|JAVA_TOOL_OPTIONS"));
            builder.environment().put("CLASSPATH", ServerClassPath.find());
            builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
            ServerProcess server = new ServerProcess(builder.start(), log);
            Thread reader = new Thread(server::readAnswers, "rocketmq-dev-cluster-answers");
            reader.setDaemon(true);
            reader.start();
            return server;
        } catch (IOException e) {
            throw new DevClusterException("cannot start a JVM in " + dataDir, e);
        }
    }

    private static List<String> command(String heap, Path home, Path temp) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heap);
        command.add("-Xss512k");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:-UsePerfData");
        // no key pairs for listeners that nobody but this process talks to
        command.add("-Dtls.server.mode=disabled");
        command.add("-Djava.net.preferIPv4Stack=true");
        command.add("-Djava.io.tmpdir=" + temp);
        command.add("-Duser.home=" + home);
        command.add("-Drocketmq.home.dir=" + home);
        command.add(SERVER_MAIN);
        return command;
    }

    /**
     * Sends a request and waits for its answer.
     *
     * @throws DevClusterException if the server refuses, does not answer in time, or is gone
     */
    List<String> call(long seconds, String verb, List<String> arguments) {
        long id = nextId.incrementAndGet();
        CompletableFuture<WireLine> future = new CompletableFuture<>();
        waiting.put(id, future);
        try {
            send(new WireLine(id, verb, arguments));
            if (ended) {
                throw gone(verb, null);
            }
            return result(verb, future.get(seconds, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            throw new DevClusterException(
                    verb + ": no answer within " + seconds + " s" + logTail(), e);
        } catch (ExecutionException | IOException e) {
            throw gone(verb, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DevClusterException(verb + ": interrupted", e);
        } finally {
            waiting.remove(id);
        }
    }

    /** Ends the child at once and waits until it is gone. Idempotent. */
    void destroy() {
        process.destroyForcibly();
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (process.isAlive() && System.nanoTime() - deadline < 0) {
            try {
                process.waitFor(END_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (process.isAlive()) {
            throw new DevClusterException(
                    "process " + pid() + " did not end within " + END_SECONDS + " s");
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    private void send(WireLine request) throws IOException {
        synchronized (requests) {
            requests.write(request.format());
            requests.write('\n');
            requests.flush();
        }
    }

    private void readAnswers() {
        try (BufferedReader answers =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (WireLine.isWireLine(line)) {
                    WireLine answer = WireLine.parse(line);
                    CompletableFuture<WireLine> future = waiting.remove(answer.id());
                    if (future != null) {
                        future.complete(answer);
                    }
                }
            }
            failWaiting(new IOException("the server process ended"));
        } catch (IOException | RuntimeException e) {
            failWaiting(e);
        }
    }

    private void failWaiting(Exception reason) {
        ended = true;
        waiting.values().forEach(future -> future.completeExceptionally(reason));
    }

    private List<String> result(String verb, WireLine answer) {
        if (answer.word().equals(WireLine.OK)) {
            return answer.arguments();
        }
        boolean portTaken = answer.argument(0).equals(WireLine.ErrorKind.BIND.name());
        throw new DevClusterException(verb + ": " + answer.argument(1), null, portTaken);
    }

    private DevClusterException gone(String verb, Exception reason) {
        return new DevClusterException(
                verb + ": the server process " + pid() + " is gone" + logTail(), reason);
    }

    private String logTail() {
        return LogTail.of(log);
    }
}
